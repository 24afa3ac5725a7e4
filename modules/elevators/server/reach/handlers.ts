import { fromInstant, dayOfMoment } from '#kit/domain/moment.ts'
import { reads } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import { credentialFault, stayFault, typedCredential } from '#modules/access/server/public.ts'
import { windowsText } from '#kit/domain/week-window.ts'
import { isSecretKey, maskItemKey, maskSecret } from '#modules/devices/server/public.ts'
import { residentDomainFilter } from '#modules/residents/server/public.ts'
import { elevator } from '../../contract/elevator.ts'
import { floorsWithin, formatFloors } from '../../contract/floors.ts'
import { checkFloor, listFloorRights } from '../../contract/right.ts'
import { floorRightText, judgeLiftCall } from '../../domain/lift-call.ts'
import { countLiftRights, findLiftRights, type LiftRight } from './lift-reach.ts'

const defaultSize = 20

/** Of a code the last digits: who has all of it calls the lift. */
const numberOf = ({ itemKey, number }: LiftRight): string | undefined =>
  number !== undefined && isSecretKey(itemKey) ? maskSecret(number) : number

export const reachHandlers = [
  reads(
    listFloorRights,
    async ({ elevatorId, page = 1, size = defaultSize, keyword }, { db, scope, today }) => {
      const lift = await requireById(db, elevator, scope, elevatorId)
      const query = {
        ownerId: scope.ownerId,
        projectCode: lift.projectCode,
        today,
        elevatorIds: [elevatorId],
        seenResidents: residentDomainFilter(scope),
        keyword,
      }
      const offset = (page - 1) * size
      const rights = await findLiftRights(db, query, { size, offset })
      /** Of any right come the public floors; what is closed does not count. */
      const floorsOf = ({ floors }: LiftRight): string =>
        formatFloors(
          floorsWithin(lift.floorList ?? [], [...floors, ...(lift.publicFloors ?? [])]).filter(
            floor => !lift.closedFloors?.includes(floor),
          ),
        )
      return {
        total: await countLiftRights(db, query),
        rows: rights.map((right, i) => ({
          id: `${maskItemKey(right.itemKey)}#${offset + i}`,
          holderName: right.holderName,
          kind: right.kind,
          number: numberOf(right),
          floors: floorsOf(right),
          source: right.source,
          reason: floorRightText(right),
          fromDate: right.fromDate,
          untilDate: right.untilDate,
          windows: windowsText(right.windows),
        })),
      }
    },
  ),
  reads(checkFloor, async ({ elevatorId, cardNo, floor, at }, c) => {
    const { db, scope, app } = c
    const lift = await requireById(db, elevator, scope, elevatorId)
    const moment = at ?? fromInstant(app.clock())
    const { projectCode } = lift
    const { key, holderName } = await typedCredential(projectCode, cardNo, c)
    const query = { ownerId: scope.ownerId, projectCode, today: dayOfMoment(moment) }
    const asked = { ...query, elevatorIds: [elevatorId], keys: [key], withExpired: true }
    const rights = await findLiftRights(db, asked)
    const decision = judgeLiftCall({ ...lift, floorList: lift.floorList ?? [] }, rights, floor, moment)
    const fault = rights.length
      ? await stayFault(db, { ...query, key }, moment)
      : await credentialFault(db, { ...query, key })
    if (decision.isAllowed && fault === undefined)
      return { ...decision, holderName: rights[0]?.holderName ?? holderName }
    return { isAllowed: false, reason: fault ?? decision.reason }
  }),
]
