import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import type { WorkStep } from '#modules/planned-work/contract/task.ts'
import type {
  SignMatcher,
  StepDraft,
  StepNeeds,
  SubjectKey,
  WorkSubject,
} from '#modules/planned-work/server/public.ts'
import { signKind } from '../contract/choices.ts'
import { matchSign, type SignedPoint } from '../domain/matching.ts'
import { offsetsOf } from '../domain/road.ts'

type Company = Pick<Scope, 'ownerId'>
type CheckItems = NonNullable<StepNeeds['items']>

interface LegRow {
  readonly roadId: Id
  readonly roadName: string
  readonly inOrder: boolean
  readonly pointId: Id
  readonly pointName: string
  readonly legMinutes: number
  readonly tolerance: number
  readonly isOn: boolean
  readonly signTypes: readonly string[]
  readonly items?: CheckItems
  readonly templateItems?: CheckItems
}

/** The legs of roads that are in use, those to points out of use too: these are walked past. */
const loadLegs = (db: Db, { ownerId }: Company, roadIds: readonly Id[]): Promise<readonly LegRow[]> =>
  db.rows<LegRow>(sql`
    select r.id as road_id, r.road_name, r.in_order, p.id as point_id, p.point_name, l.leg_minutes, l.tolerance,
      p.state = ${code(enabledState, 'on')} and ${notDeleted('p')} as is_on, p.sign_types, p.items,
      (
        select t.items
        from patrol_template t
        where t.owner_id = ${ownerId}
          and t.id = p.template_id
          and t.state = ${code(enabledState, 'on')}
          and ${notDeleted('t')}
      ) as template_items
    from patrol_road r
    join patrol_road_point l on l.owner_id = ${ownerId} and l.road_id = r.id and ${notDeleted('l')}
    join patrol_point p on p.owner_id = ${ownerId} and p.id = l.point_id
    where r.owner_id = ${ownerId}
      and r.id = any(${[...roadIds]}::bigint[])
      and r.state = ${code(enabledState, 'on')}
      and ${notDeleted('r')}
    order by r.id, l.sort
  `)

/** The checks of the template, then those of the point; of the same name the point's own. */
function itemsOf({ items = [], templateItems = [] }: LegRow): CheckItems {
  const own = new Set(items.map(item => item.name))
  return [...templateItems.filter(item => !own.has(item.name)), ...items]
}

function stepOf(leg: LegRow, offsetMinutes: number): StepDraft {
  const items = itemsOf(leg)
  return {
    subjectId: leg.pointId,
    name: leg.pointName,
    offsetMinutes,
    tolerance: leg.tolerance,
    needs: {
      signKinds: leg.signTypes,
      photo: leg.signTypes.includes('photo'),
      ...(items.length ? { items } : {}),
    },
  }
}

/** The points of a road that are in use; the way past another counts to the next. */
function stepsOf(legs: readonly LegRow[]): StepDraft[] {
  const offsets = offsetsOf(legs)
  return legs.flatMap((leg, i) => (leg.isOn ? [stepOf(leg, defined(offsets[i]))] : []))
}

/** Roads with the points that their rounds consist of (PAT-4). */
export async function loadRoads(
  db: Db,
  company: Company,
  keys: readonly SubjectKey[],
): Promise<ReadonlyMap<Id, WorkSubject>> {
  const legs = await loadLegs(db, company, [...new Set(keys.map(key => key.subjectId))])
  return new Map(
    [...Map.groupBy(legs, leg => leg.roadId)].flatMap(([roadId, ofRoad]) => {
      const { roadName, inOrder } = defined(ofRoad[0])
      const steps = stepsOf(ofRoad)
      return steps.length ? [[roadId, { name: roadName, inOrder, steps }] as const] : []
    }),
  )
}

interface PointRow {
  readonly id: Id
  readonly name: string
  readonly signTypes: readonly string[]
  readonly code?: string
  readonly nfcNo?: string
  readonly bleNo?: string
  readonly longitude?: string
  readonly latitude?: string
  readonly radius?: number
}

const findPoints = async (
  db: Db,
  { ownerId }: Company,
  where: RawBuilder<unknown>,
): Promise<readonly SignedPoint[]> =>
  (
    await db.rows<PointRow>(sql`
      select id, point_name as name, sign_types, run_qr_code as code, nfc_no, ble_no, longitude::text, latitude::text,
        radius
      from patrol_point
      where owner_id = ${ownerId} and ${notDeleted()} and ${where}
    `)
  ).map(point => ({
    ...point,
    signTypes: point.signTypes.flatMap(kind => keyOf(signKind, kind) ?? []),
  }))

export const loadSignedPoints = (
  db: Db,
  company: Company,
  ids: readonly Id[],
): Promise<readonly SignedPoint[]> => findPoints(db, company, sql`id = any(${[...ids]}::bigint[])`)

/** Labels of the whole project: of a point that is not on the road the person is given its name. */
export async function loadMatcher(
  db: Db,
  company: Company,
  steps: readonly WorkStep[],
): Promise<SignMatcher> {
  const projects = [...new Set(steps.map(step => step.projectCode))]
  const points = await findPoints(db, company, sql`project_code = any(${projects}::text[])`)
  return (sign, _task, ofTask) => {
    const named = ofTask.find(step => step.id === sign.stepId)?.subjectId
    const roundIds = new Set(ofTask.map(step => step.subjectId))
    const match = matchSign(sign, points, roundIds, named)
    if (!('pointId' in match)) return match
    const step = ofTask.find(each => each.subjectId === match.pointId)
    return { stepId: defined(step).id }
  }
}
