/** Notes that a phone or a document is uncovered; it is shown once that is written down (PERM-7). */
export type NoteShown = (entity: string, id: number, key: string) => Promise<unknown>
let note: NoteShown | undefined

/** Who writes it down; said once at start. Without one nothing can be uncovered. */
export const linkReveal = (n: NoteShown): void => {
  note = n
}

export const noteShown = (): NoteShown | undefined => note
