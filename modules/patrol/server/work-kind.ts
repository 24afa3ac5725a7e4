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

/** PAT-1 */
const minPoints = 2

/** A road is walked in its own project alone, and from one point to another. */
async function roadFaults(
  { subjectId, projectCode }: Partial<WorkPlan>,
  { db, scope }: Pick<ReadContext, 'db' | 'scope'>,
): Promise<FieldFault[]> {
  if (!subjectId) return []
  const fault = (Message: string): FieldFault[] => [{ Field: 'SubjectID', Message }]
  const [road] = await findByIds(db, patrolRoad, scope, [subjectId])
  if (!road || road.projectCode !== projectCode) return fault('路线不存在或不属于所选项目，请重新选择')
  const used = (await loadRoads(db, scope, [{ subjectId, projectCode: road.projectCode }])).get(subjectId)
  return used && used.steps.length < minPoints
    ? fault(`「${road.roadName}」启用的点位不足 ${minPoints} 个，请先启用点位或更换路线`)
    : []
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
  arrangeNeeds: menu.task.permissions.reassign,
  taskPath: paths.task,
  link: task => `${paths.walk}?task=${task.id}`,
  loadSubjects: loadRoads,
  loadMatcher,
  check: roadFaults,
  onFinding: orderFinding,
})
