export type { HashEmbedder, HashEmbedderOptions } from './hash-embedder.ts';
export { createHashEmbedder } from './hash-embedder.ts';
export type { ManualClock, ManualClockOptions } from './manual-clock.ts';
export { createManualClock } from './manual-clock.ts';
export type { RecordingQueue } from './recording-queue.ts';
export { createRecordingQueue } from './recording-queue.ts';
export type { LlmScript, ScriptedAnswer, ScriptedLlm } from './scripted-llm.ts';
export { createScriptedLlm } from './scripted-llm.ts';
