import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { patrolAreas, type PatrolArea } from '../contract/area.ts'
import { patrolPoints, type PatrolPoint } from '../contract/point.ts'

const projectCode = 'GOLD0001'
let made = 0

export const addPatrolArea = (t: GoldenApp, me: CallOptions): Promise<PatrolArea> =>
  t.call(patrolAreas.add, { projectCode, areaName: `区域${++made}`, sort: made }, me)

export const addPatrolPoint = (
  t: GoldenApp,
  me: CallOptions,
  area: PatrolArea,
  values: Partial<PatrolPoint> = {},
): Promise<PatrolPoint> =>
  t.call(
    patrolPoints.add,
    { projectCode, areaId: area.id, pointName: `点位${++made}`, signTypes: ['qr'], state: 'on', ...values },
    me,
  )
