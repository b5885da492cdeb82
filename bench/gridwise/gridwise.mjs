// SPDX-License-Identifier: MIT
//
// usage: node gridwise.mjs      in the folder that fetch.sh made
//
// A companion (bench/harness/bench.h) that solves the problems by Gridwise in Node on Dawn: "measure N PROBLEM" lines in,
// "ns TIME [DIGEST]" lines out. Dawn's timestamps are coarse, so a time is wall clock: many runs are encoded into one
// command buffer beforehand, and submit to done is divided by them. Encoding is not counted. Gridwise's sort overwrites
// its input, so each run is preceded by a copy, whose time, measured the same way, is subtracted.
import readline from "node:readline";
import { create, globals } from "webgpu";
// By file: its index asks for a name that is not exported at this commit.
import { BinOpAdd } from "./node_modules/gridwise/binop.mjs";
import { OneSweepSort } from "./node_modules/gridwise/onesweep.mjs";
import { DLDFScan } from "./node_modules/gridwise/scandldf.mjs";

Object.assign(globalThis, globals);

const warmMs = 100;
const setMs = 100; // the waiting is below 1 % of it
const runsMax = 400;

// ---- Device --------------------------------------------------------------------------------------------------------

async function openDevice() {
  const gpu = create(["backend=vulkan"]);
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error("no adapter");
  const { maxBufferSize, maxStorageBufferBindingSize, maxComputeWorkgroupStorageSize } = adapter.limits;
  const device = await adapter.requestDevice({
    requiredFeatures: adapter.features.has("subgroups") ? ["subgroups"] : [],
    requiredLimits: { maxBufferSize, maxStorageBufferBindingSize, maxComputeWorkgroupStorageSize },
  });
  // What is rejected does not run, and does not throw either: the first error since the last look is kept.
  // The binding needs the instance and the adapter to stay reachable.
  const state = { gpu, adapter, device, error: null };
  device.addEventListener("uncapturederror", (event) => (state.error ??= event.error.message));
  return state;
}

// ---- Data: as bench/harness/fills.c --------------------------------------------------------------------------------

function hash(index) {
  let x = Math.imul(index, 2654435761);
  x ^= x >>> 16;
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

const fills = {
  hash(words) {
    for (let k = 0; k < words.length; k++) words[k] = hash(k);
  },
  index(words) {
    for (let k = 0; k < words.length; k++) words[k] = k;
  },
  unit(words) {
    const floats = new Float32Array(words.buffer);
    for (let k = 0; k < floats.length; k++) floats[k] = (hash(k) >>> 8) * 2 ** -24;
  },
};

// The sum of words[k] * (2k + 1) over all outputs, modulo 2^64, in limbs that a double holds exactly.
function digest(outputs) {
  let total = 0n;
  let place = 0;
  for (const words of outputs) {
    for (let first = 0; first < words.length; first += 65536) {
      const end = Math.min(words.length, first + 65536);
      let low = 0, middle = 0, high = 0;
      for (let k = first; k < end; k++, place++) {
        const word = words[k], factor = 2 * place + 1; // below 2^31: two outputs of 2^28 words
        const wordHigh = word >>> 16, wordLow = word & 0xffff;
        const factorHigh = factor >>> 16, factorLow = factor & 0xffff;
        low += wordLow * factorLow;
        middle += wordHigh * factorLow + wordLow * factorHigh;
        high += wordHigh * factorHigh;
      }
      total += BigInt(low) + (BigInt(middle) << 16n) + (BigInt(high) << 32n);
    }
  }
  return BigInt.asUintN(64, total).toString(16);
}

// ---- Buffers -------------------------------------------------------------------------------------------------------

function makeBuffer(task, words, fill) {
  const buffer = task.device.createBuffer({
    size: words * 4,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    mappedAtCreation: fill !== undefined,
  });
  if (fill !== undefined) {
    fill(new Uint32Array(buffer.getMappedRange()));
    buffer.unmap();
  }
  task.buffers.push(buffer);
  return buffer;
}

async function readBack(device, buffer) {
  const staging = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const words = new Uint32Array(staging.getMappedRange().slice(0));
  staging.unmap();
  staging.destroy();
  return words;
}

// Copies by a kernel, four words an invocation.
function makeCopier(device, from, to) {
  const code = `@group(0) @binding(0) var<storage, read> s: array<vec4u>;
    @group(0) @binding(1) var<storage, read_write> d: array<vec4u>;
    @compute @workgroup_size(256)
    fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
            @builtin(local_invocation_index) local: u32) {
      let i = (group.y * groups.x + group.x) * 256u + local;
      if (i < arrayLength(&d)) { d[i] = s[i]; }
    }`;
  const pipeline = device.createComputePipeline({
    layout: "auto",
    compute: { module: device.createShaderModule({ code }), entryPoint: "main" },
  });
  const bindGroup = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [from, to].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const groups = Math.ceil(to.size / 16 / 256);
  const rows = Math.ceil(groups / 65535);
  return (encoder) => {
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(Math.ceil(groups / rows), rows);
    pass.end();
  };
}

// ---- Problems: what one run encodes, what comes before it, what comes out ------------------------------------------

function makeScan(task, n, { type, datatype, fill, exact }) {
  const input = makeBuffer(task, n, fill);
  const output = makeBuffer(task, type === "reduce" ? 1 : n);
  const scan = new DLDFScan({ device: task.device, binop: new BinOpAdd({ datatype }), type, datatype });
  task.run = (encoder) => scan.execute({ encoder, inputBuffer: input, outputBuffer: output });
  task.before = [];
  task.outputs = exact ? [output] : [];
}

function makeSort(task, n, { pairs }) {
  const keys = makeBuffer(task, n, fills.hash);
  const named = { keysInOut: makeBuffer(task, n), keysTemp: makeBuffer(task, n) };
  task.before = [makeCopier(task.device, keys, named.keysInOut)];
  task.outputs = [named.keysInOut];
  if (pairs) {
    const values = makeBuffer(task, n, fills.index);
    Object.assign(named, { payloadInOut: makeBuffer(task, n), payloadTemp: makeBuffer(task, n) });
    task.before.push(makeCopier(task.device, values, named.payloadInOut));
    task.outputs.push(named.payloadInOut);
  }
  const sort = new OneSweepSort({
    device: task.device,
    datatype: "u32",
    type: pairs ? "keyvalue" : "keysonly",
    direction: "ascending",
    copyOutputToTemp: false,
  });
  task.run = (encoder) => sort.execute({ encoder, ...named });
}

const problems = {
  "reduce sum u32": [makeScan, { type: "reduce", datatype: "u32", fill: fills.hash, exact: true }],
  "reduce sum f32": [makeScan, { type: "reduce", datatype: "f32", fill: fills.unit, exact: false }],
  "scan exclusive u32": [makeScan, { type: "exclusive", datatype: "u32", fill: fills.hash, exact: true }],
  "sort keys u32": [makeSort, { pairs: false }],
  "sort pairs u32": [makeSort, { pairs: true }],
};

// ---- Time ----------------------------------------------------------------------------------------------------------

// Nanoseconds from submit to done, a run. WebGPU's errors arrive with the work.
async function timeSet(task, runs, withRun) {
  const encoder = task.device.createCommandEncoder();
  for (let k = 0; k < runs; k++) {
    for (const before of task.before) before(encoder);
    if (withRun) await task.run(encoder);
  }
  const commands = encoder.finish();
  const start = process.hrtime.bigint();
  task.device.queue.submit([commands]);
  await task.device.queue.onSubmittedWorkDone();
  return Number(process.hrtime.bigint() - start) / runs;
}

async function measure(state, task) {
  let runs = 1;
  const start = performance.now();
  do {
    const ns = await timeSet(task, runs, true);
    if (state.error) throw new Error(state.error);
    runs = Math.max(1, Math.min(runsMax, Math.ceil((setMs * 1e6) / ns)));
  } while (performance.now() - start < warmMs);
  const copying = task.before.length > 0 ? await timeSet(task, runs, false) : 0;
  const ns = (await timeSet(task, runs, true)) - copying;
  if (state.error) throw new Error(state.error);
  return ns;
}

function drop(task) {
  for (const buffer of task.buffers) buffer.destroy();
}

async function answer(state, current, n, problem) {
  if (!(problem in problems)) return [current, "unsupported no such problem here"];
  if (n % 4 !== 0) return [current, "unsupported multiples of 4 alone"];
  if (current?.n !== n || current?.problem !== problem) {
    if (current) drop(current);
    current = { device: state.device, n, problem, buffers: [] };
    const [make, options] = problems[problem];
    make(current, n, options);
  }
  const ns = await measure(state, current);
  const outputs = [];
  for (const buffer of current.outputs) outputs.push(await readBack(state.device, buffer));
  return [current, outputs.length > 0 ? `ns ${ns.toFixed(1)} ${digest(outputs)}` : `ns ${ns.toFixed(1)}`];
}

// ---- The loop ------------------------------------------------------------------------------------------------------

// Gridwise reports on the console; standard output is for answers.
console.log = console.info = console.warn = console.error;
const state = await openDevice();
let current = null;
for await (const line of readline.createInterface({ input: process.stdin })) {
  const [, n, problem] = /^measure (\d+) (.+)$/.exec(line) ?? [];
  let text = "failed a request is: measure N PROBLEM";
  try {
    if (problem) [current, text] = await answer(state, current, Number(n), problem);
  } catch (error) {
    text = `failed ${error.message.split("\n")[0]}`;
    if (current) drop(current);
    current = null;
  }
  state.error = null;
  process.stdout.write(`${text}\n`);
}
process.exit(0);
