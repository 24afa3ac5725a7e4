import type { Id } from '#kit/domain/id.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { countHit, hitsOf } from '#kit/server/rate-limit.ts'

/** Plates that are not there: so many in ten minutes, from one address and at one car park. */
const maxMisses = { address: 20, park: 300 } as const
const seconds = 600

const tooMany = (): Refused =>
  new Refused(resultCode.rateLimited, '查询过于频繁，请十分钟后再试，或到岗亭缴费')

/** One answer for every plate with nothing to pay here: whether it is inside stays hidden. */
const nothingFound = (): Refused =>
  new Refused(resultCode.refused, '未查询到待缴费的车辆，请核对车牌；如有疑问请到岗亭')

interface Guess {
  readonly ip: string
  readonly parkId: Id
}

const keysOf = ({ ip, parkId }: Guess) =>
  [
    [`park plate ${ip}`, maxMisses.address],
    [`park plates ${parkId}`, maxMisses.park],
  ] as const

/** After many misses nothing is looked up any more, right or wrong: a right guess would tell. */
export async function assertCanAsk({ database }: App, guess: Guess): Promise<void> {
  const counts = await Promise.all(
    keysOf(guess).map(async ([key, limit]) => (await hitsOf(database, key, seconds)) >= limit),
  )
  if (counts.includes(true)) throw tooMany()
}

export async function missedPlate({ database }: App, guess: Guess): Promise<Refused> {
  await Promise.all(keysOf(guess).map(([key]) => countHit(database, key, seconds)))
  return nothingFound()
}
