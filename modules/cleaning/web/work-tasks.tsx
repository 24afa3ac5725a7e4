import { KindTasks } from '#modules/planned-work/web/public.tasks.ts'
import { cleaningKind } from './kind.ts'

/** 保洁任务: every task of the plans, with its score. */
export default function WorkTasksPage() {
  return <KindTasks spec={cleaningKind} />
}
