import type { Id } from '#kit/domain/id.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { ReadContext, WriteContext } from '#kit/server/handler.ts'
import { findByIds } from '#kit/server/table.ts'
import type { WorkPlan } from '#modules/planned-work/contract/plan.ts'
import { registerWorkKind, reportFinding, type Finding } from '#modules/planned-work/server/public.ts'
import { patrolRoad } from '../contract/road.ts'
import { menu, paths } from '../module.ts'
import { loadMatcher, loadRoads } from './patrol-work.ts'

/** What an order of this module names as its record. */
const refType = 'patrolRecord'

/** A road is walked in its own project alone. */
async function roadFaults(
  { subjectId, projectCode }: Partial<WorkPlan>,
  { db, scope }: Pick<ReadContext, 'db' | 'scope'>,
): Promise<FieldFault[]> {
  if (!subjectId) return []
  const [road] = await findByIds(db, patrolRoad, scope, [subjectId])
  return road?.projectCode === projectCode
    ? []
    : [{ Field: 'SubjectID', Message: '路线不存在或不属于所选项目，请重新选择' }]
}

/** PAT-8: what was reported of a point is work for somebody, where the road names a type of order. */
async function orderFinding(c: WriteContext, finding: Finding): Promise<Id | undefined> {
  const { task, step, texts } = finding
  const [road] = await findByIds(c.tx, patrolRoad, c.scope, [task.subjectId])
  if (!road?.orderTypeId) return undefined
  return reportFinding(c, finding, {
    refType,
    typeId: road.orderTypeId,
    source: 'patrol',
    address: step.stepName,
    title: `巡更异常：${step.stepName}`,
    content: `${task.planName}（${road.roadName}）${step.stepName}：${texts.join('；')}`,
  })
}

registerWorkKind('patrol', {
  needs: menu.task.permissions.walk,
  viewNeeds: menu.task.permissions.view,
  taskPath: paths.task,
  link: task => `${paths.walk}?task=${task.id}`,
  loadSubjects: loadRoads,
  loadMatcher,
  check: roadFaults,
  onFinding: orderFinding,
})
