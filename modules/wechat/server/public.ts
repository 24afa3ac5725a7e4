/** To find out who a WeChat is, and to write to followers of the company's accounts. */
export { findFollower, type KnownFollower } from './followers.ts'
export { sendEventMessage, type EventMessage, type MessageOutcome } from './template-sending.ts'
