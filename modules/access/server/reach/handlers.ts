import { fromInstant } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { isSecretKey, maskItemKey, maskSecret } from '#modules/devices/server/public.ts'
import { requireResident, residentDomainFilter } from '#modules/residents/server/public.ts'
import { checkRight, listRights } from '../../contract/reach.ts'
import { doorway, type Doorway } from '../../contract/doorway.ts'
import { windowsText } from '#kit/domain/week-window.ts'
import { rightText } from '../../domain/right-text.ts'
import { findHolders } from '../passage/holders.ts'
import { canOpen } from './decision.ts'
import { keyOfCredential } from './credential-source.ts'
import type { ReachQuery } from './query.ts'
import { countRights, findRights, type Right } from './rights.ts'

type RightsInput = NonNullable<typeof listRights.input.T>

const defaultSize = 20

/** Of a code the last digits: who has all of it opens the door. */
const numberOf = ({ itemKey, number }: Right): string | undefined =>
  number !== undefined && isSecretKey(itemKey) ? maskSecret(number) : number

const rowOf = (right: Right, place: number) => ({
  id: `${maskItemKey(right.itemKey)}@${right.doorwayId}#${place}`,
  doorwayName: right.doorwayName,
  holderName: right.holderName,
  kind: right.kind,
  number: numberOf(right),
  source: right.source,
  reason: rightText(right),
  fromDate: right.fromDate,
  untilDate: right.untilDate,
  windows: windowsText(right.windows),
})

/** Those who reach a door: of the residents whom the caller sees (PERM-6). */
async function rightsOfDoorway(
  doorwayId: Id,
  { page = 1, size = defaultSize, keyword }: RightsInput,
  c: ReadContext,
) {
  const { db, scope, today } = c
  const { projectCode } = await requireById(db, doorway, scope, doorwayId)
  const query: ReachQuery = {
    ownerId: scope.ownerId,
    today,
    projectCode,
    doorwayIds: [doorwayId],
    seenResidents: residentDomainFilter(scope),
    keyword,
  }
  const offset = (page - 1) * size
  const rights = await findRights(db, query, { size, offset })
  return { total: await countRights(db, query), rows: rights.map((right, i) => rowOf(right, offset + i)) }
}

/** Everything that one person reaches, in all projects that the caller sees: some dozens of doors. */
async function rightsOfHolder(
  { userId, staffId, projectCode, page = 1, size = defaultSize, keyword }: RightsInput,
  c: ReadContext,
) {
  const { db, scope, today } = c
  if (userId === undefined && staffId === undefined) return refuse('请指定门、住户或员工')
  if (userId !== undefined) {
    await requireResident(db, scope, userId)
  }
  const asked = projectCode === undefined ? {} : { projectCode }
  const seen = Map.groupBy(await findAll(db, doorway, scope, asked), each => each.projectCode)
  const rights: Right[] = []
  for (const [project, found] of seen) {
    const doorwayIds = found.map(({ id }) => id)
    rights.push(
      ...(await findRights(db, {
        ownerId: scope.ownerId,
        today,
        projectCode: project,
        doorwayIds,
        userId,
        staffId,
        keyword,
      })),
    )
  }
  const offset = (page - 1) * size
  return {
    total: rights.length,
    rows: rights.slice(offset, offset + size).map((right, i) => rowOf(right, offset + i)),
  }
}

/** What somebody types, the likeliest first. */
const typedKinds = ['card', 'qr', 'pass'] as const

/** What was typed is a card, or the code of a visitor or of a person where no card has that number. */
async function typedCredential(
  { projectCode }: Pick<Doorway, 'projectCode'>,
  number: string,
  c: ReadContext,
) {
  const keys = typedKinds.map(kind => keyOfCredential(kind, number))
  const { ownerId } = c.scope
  const holders = await findHolders(c.db, { ownerId, projectCode, today: c.today, keys })
  const key = keys.find(each => holders.has(each)) ?? keyOfCredential('card', number)
  return { key, holderName: holders.get(key)?.name }
}

export const reachHandlers = [
  reads(listRights, (input, c) =>
    input.doorwayId === undefined ? rightsOfHolder(input, c) : rightsOfDoorway(input.doorwayId, input, c),
  ),
  reads(checkRight, async ({ doorwayId, cardNo, at, direction }, c) => {
    const { db, scope, app } = c
    const asked = await requireById(db, doorway, scope, doorwayId)
    const { key, holderName } = await typedCredential(asked, cardNo, c)
    const decision = await canOpen(db, scope.ownerId, {
      doorwayId,
      key,
      at: at ?? fromInstant(app.clock()),
      direction: direction === 'both' ? undefined : direction,
    })
    return decision.isAllowed
      ? { ...decision, holderName }
      : { isAllowed: false, reason: decision.reason, holderName }
  }),
]
