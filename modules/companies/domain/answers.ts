interface Answer { readonly key: string; readonly value: string }
/** What is said for one room: its own answers (`arrears@12`) before those for all rooms (`arrears`). */
export function answersFor(all: readonly Answer[] | undefined, roomId: number): Answer[] {
  const own = `@${roomId}`, said = all ?? [], mine = said.flatMap(a => (a.key.endsWith(own) ? [{ key: a.key.slice(0, -own.length), value: a.value }] : []))
  return [...said.filter(a => !a.key.includes('@') && !mine.some(m => m.key === a.key)), ...mine]
}
