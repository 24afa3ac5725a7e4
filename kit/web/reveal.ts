/** Notes that a phone or a document is uncovered; it is shown once that is written down (PERM-7). */
export type RevealLogger = (entity: string, id: number, key: string) => Promise<unknown>
let revealLogger: RevealLogger | undefined

/** Who writes it down; said once at start. Without one nothing can be uncovered. */
export const setRevealLogger = (n: RevealLogger): void => {
  revealLogger = n
}

export const getRevealLogger = (): RevealLogger | undefined => revealLogger
