import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { createOrder, staffContext, type OrderRequest } from '#modules/work-orders/server/public.ts'
import type { Finding } from './kinds.ts'

interface Reporter {
  readonly name: string
  readonly mobile?: string
}

/** Who signed the step: the person who takes the order asks there. */
const reporterOf = async ({ tx, scope }: WriteContext, staffId: Id | undefined) =>
  staffId === undefined
    ? undefined
    : tx.one<Reporter>(sql`
        select name, mobile from staff where owner_id = ${scope.ownerId} and id = ${staffId}
      `)

/** PAT-8: the work order of what was found, reported by the person who found it. */
export async function reportFinding(
  c: WriteContext,
  { task, step }: Finding,
  order: Pick<OrderRequest, 'typeId' | 'source' | 'address' | 'title' | 'content'> & {
    readonly refType: string
  },
): Promise<Id> {
  const { refType, ...request } = order
  const reporter = await reporterOf(c, step.staffId)
  const { id } = await createOrder(staffContext(c), {
    ...request,
    projectCode: task.projectCode,
    ref: { type: refType, id: step.id },
    photos: step.photos,
    reporterName: reporter?.name,
    reporterPhone: reporter?.mobile,
  })
  return id
}

/** The same of a weighted item, where it says so and its standard or template names a type. */
export async function orderOfFinding(
  c: WriteContext,
  finding: Finding,
  typeId: Id | undefined,
): Promise<Id | undefined> {
  const { task, step, texts } = finding
  if (!typeId || !step.needs?.raisesOrder) return undefined
  return reportFinding(c, finding, {
    refType: 'workStep',
    typeId,
    source: 'staff',
    address: task.targetName ?? task.planName,
    title: `${task.targetName ?? task.planName}：${step.stepName}`,
    content: texts.join('；'),
  })
}
