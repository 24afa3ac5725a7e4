import type { Id } from '#kit/domain/id.ts'
import type { ProcessInstance } from '../contract/instance.ts'
import type { ApprovalKind } from '../contract/kind.ts'
import { terminate, type Run } from '../domain/run.ts'
import { requireEdition } from './flow.ts'
import { toApprovalContext, type ApprovalContext, type RequestContext } from './kinds.ts'
import { notifyStep } from './notices.ts'
import { loadPeople } from './people.ts'
import { everywhere, findRunning } from './requests.ts'
import { lockInstance, saveRun } from './store.ts'

/** What waits ends, and those concerned are notified; the module ends its record itself. */
export async function endWithoutEffect(
  c: ApprovalContext,
  { instance, run }: { readonly instance: ProcessInstance; readonly run: Run },
  reason: string,
): Promise<void> {
  const { tx, today, now } = c
  const scope = everywhere(c.scope)
  const edition = await requireEdition(tx, scope, instance)
  const people = await loadPeople(tx, scope.ownerId, today)
  const after = terminate(run)
  const saved = await saveRun(tx, scope, { instance, before: run, after, edition, people, now, reason })
  await notifyStep({ ...c, scope }, saved, run, after, reason)
}

/** The record was cancelled by its module: what still waits for it ends, and no effect of an end runs. */
export async function cancelApproval(
  context: RequestContext,
  kind: Pick<ApprovalKind, 'key'>,
  bizId: Id,
  reason: string,
): Promise<void> {
  const c = toApprovalContext(context)
  const scope = everywhere(c.scope)
  const open = await findRunning(c.tx, scope, kind, bizId)
  if (open === undefined) return
  const locked = await lockInstance(c.tx, scope, open)
  if (locked.run.state !== 'running') return
  await endWithoutEffect(c, locked, reason)
}
