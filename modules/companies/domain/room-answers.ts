import { parseId, type Id } from '#kit/domain/id.ts'

interface MoveAnswer {
  readonly key: string
  readonly value: string
}

/** The room that an answer is for: `arrears@12`; nothing where it is for all. */
export const roomIdOfKey = (key: string): Id | undefined => {
  const m = /@(\d+)$/.exec(key)
  return m ? parseId(m[1]) : undefined
}

export const baseKeyOf = (key: string): string => key.replace(/@\d+$/, '')

/** The answer for one room: its own answers (`arrears@12`) before those for all rooms (`arrears`). */
export function answersForRoom(all: readonly MoveAnswer[] | undefined, roomId: Id): MoveAnswer[] {
  const allAnswers = all ?? []
  const roomAnswers = allAnswers.flatMap(a =>
    roomIdOfKey(a.key) === roomId ? [{ key: baseKeyOf(a.key), value: a.value }] : [],
  )
  return [
    ...allAnswers.filter(a => roomIdOfKey(a.key) === undefined && !roomAnswers.some(m => m.key === a.key)),
    ...roomAnswers,
  ]
}

/** Answers with one more: for a room, or for all, which takes the place of the answers by room. */
export const withAnswer = (
  all: readonly MoveAnswer[],
  key: string,
  value: string,
  roomId?: Id,
): MoveAnswer[] => [
  ...all.filter(a => (roomId === undefined ? baseKeyOf(a.key) !== key : a.key !== `${key}@${roomId}`)),
  { key: roomId === undefined ? key : `${key}@${roomId}`, value },
]
