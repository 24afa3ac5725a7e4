/** What was signed on a phone and waits for the network, for every kind of planned work. */
export { RefusedSigns } from './refused-signs.tsx'
export { useSignQueue, type SignAnswer, type SignQueue } from './sign-queue.ts'
export type { NewSign, QueuedSign } from './queued-sign.ts'
export { VerdictButtons } from './verdict-buttons.tsx'
