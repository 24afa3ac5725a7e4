import type { Id } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { instanceState } from '../contract/choices.ts'
import type { ProcessInstance } from '../contract/instance.ts'
import { isWaiting, type Run } from '../domain/run.ts'
import { paths } from '../module.ts'
import type { ApprovalContext } from './kinds.ts'

export const approvalNotices = {
  waiting: defineNotificationKind({
    key: 'approvals.waiting',
    label: '待我审批',
    group: 'todo',
    level: 'important',
    entity: 'processInstance',
  }),
  decided: defineNotificationKind({
    key: 'approvals.decided',
    label: '我的申请的审批结果',
    group: 'notice',
    entity: 'processInstance',
  }),
  copied: defineNotificationKind({
    key: 'approvals.copied',
    label: '抄送我的审批',
    group: 'notice',
    entity: 'processInstance',
  }),
} as const

interface ApprovalMessage {
  readonly title: string
  readonly text?: string | undefined
}

export const notifyAbout = (
  { tx, app, scope }: ApprovalContext,
  instance: Pick<ProcessInstance, 'id' | 'projectCode'>,
  notice: keyof typeof approvalNotices,
  to: readonly (Id | undefined)[],
  { title, text }: ApprovalMessage,
): Promise<number> =>
  notify(tx, app, scope.ownerId, {
    kind: approvalNotices[notice],
    to: to.filter(id => id !== undefined),
    exceptOperatorId: scope.operatorId,
    title,
    text,
    link: `${paths.detail}?id=${instance.id}`,
    bizId: instance.id,
    project: instance.projectCode,
  })

/** Those who are asked now and were not asked before. */
async function notifyAsked(
  c: ApprovalContext,
  instance: ProcessInstance,
  before: Run,
  after: Run,
): Promise<void> {
  const known = new Set(before.tasks.filter(isWaiting).map(task => task.approverId))
  const asked = after.tasks.filter(task => isWaiting(task) && !known.has(task.approverId))
  if (!asked.length) return
  await notifyAbout(
    c,
    instance,
    'waiting',
    asked.map(task => task.approverId),
    { title: `待审批：${instance.title}`, text: `${instance.applicantName} · ${instance.currentNode ?? ''}` },
  )
}

/** What a step means for those concerned. */
export async function notifyStep(
  c: ApprovalContext,
  instance: ProcessInstance,
  before: Run,
  after: Run,
  opinion: string | undefined,
): Promise<void> {
  await notifyAsked(c, instance, before, after)
  const applicant = [instance.applicantId]
  if (after.state !== 'running') {
    const label = labelOf(instanceState, after.state)
    await notifyAbout(c, instance, 'decided', applicant, {
      title: `${label}：${instance.title}`,
      text: opinion,
    })
  } else if (after.isReturned && !before.isReturned) {
    const title = `已退回：${instance.title}`
    await notifyAbout(c, instance, 'decided', applicant, { title, text: opinion })
  }
}

/** Sends copies of an approved request (APR-1), each person one. */
export async function sendCopies(
  c: ApprovalContext,
  instance: ProcessInstance,
  copyTo: readonly Id[],
): Promise<void> {
  if (!copyTo.length) return
  const added = await c.tx.rows<{ managerId: Id }>(sql`
    insert into process_copy (owner_id, instance_id, manager_id, copy_time)
    select ${c.scope.ownerId}, ${instance.id}, id, ${c.now}::timestamptz
    from unnest(${[...copyTo]}::bigint[]) as receiver(id)
    on conflict do nothing
    returning manager_id
  `)
  await notifyAbout(
    c,
    instance,
    'copied',
    added.map(({ managerId }) => managerId),
    { title: `抄送：${instance.title}`, text: `${instance.applicantName} 的申请已通过` },
  )
}
