interface Answer {
  readonly key: string
  readonly value: string
}

/** The room that an answer is for: `arrears@12`; nothing where it is for all. */
export const roomOfKey = (key: string): number | undefined => {
  const m = /@(\d+)$/.exec(key)
  return m ? Number(m[1]) : undefined
}

export const plainKey = (key: string): string => key.replace(/@\d+$/, '')

/** What is said for one room: its own answers (`arrears@12`) before those for all rooms (`arrears`). */
export function answersFor(all: readonly Answer[] | undefined, roomId: number): Answer[] {
  const said = all ?? []
  const mine = said.flatMap(a =>
    roomOfKey(a.key) === roomId ? [{ key: plainKey(a.key), value: a.value }] : [],
  )
  return [...said.filter(a => roomOfKey(a.key) === undefined && !mine.some(m => m.key === a.key)), ...mine]
}

/** Answers with one more: for a room, or for all, which takes the place of what was said room by room. */
export const withAnswer = (all: readonly Answer[], key: string, value: string, roomId?: number): Answer[] => [
  ...all.filter(a => (roomId === undefined ? plainKey(a.key) !== key : a.key !== `${key}@${roomId}`)),
  { key: roomId === undefined ? key : `${key}@${roomId}`, value },
]
