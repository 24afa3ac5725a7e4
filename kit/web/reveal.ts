import type { Id } from '#kit/domain/id.ts'

/** Logs that a phone number or document is revealed; it is shown once that is stored (PERM-7). */
export type RevealLogger = (entity: string, id: Id, key: string) => Promise<unknown>
let revealLogger: RevealLogger | undefined

/** Sets who logs it; called once at start. Without one nothing can be revealed. */
export const setRevealLogger = (n: RevealLogger): void => {
  revealLogger = n
}

export const getRevealLogger = (): RevealLogger | undefined => revealLogger
