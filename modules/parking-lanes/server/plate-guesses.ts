import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { countHit, hitsOf } from '#kit/server/rate-limit.ts'

/** Plates that are not there: so many in ten minutes, from one address and at one car park. */
const maxMisses = { address: 20, park: 300 } as const
const seconds = 600

export interface PlateGuess {
  readonly ip: string
  readonly parkId: Id
}

const keysOf = ({ ip, parkId }: PlateGuess) =>
  [
    [`park plate ${ip}`, maxMisses.address],
    [`park plates ${parkId}`, maxMisses.park],
  ] as const

/**
 * After many misses, at whichever page for drivers, nothing is looked up any more, right or wrong: a right
 * guess would tell.
 */
export async function isGuessing({ database }: App, guess: PlateGuess): Promise<boolean> {
  const counts = await Promise.all(
    keysOf(guess).map(async ([key, limit]) => (await hitsOf(database, key, seconds)) >= limit),
  )
  return counts.includes(true)
}

export async function countMissedPlate({ database }: App, guess: PlateGuess): Promise<void> {
  await Promise.all(keysOf(guess).map(([key]) => countHit(database, key, seconds)))
}
