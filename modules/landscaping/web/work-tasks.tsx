import { KindTasks } from '#modules/planned-work/web/public.tasks.ts'
import { greeningKind } from './kind.ts'

/** 绿化任务: every task of the plans, with its score. */
export default function WorkTasksPage() {
  return <KindTasks spec={greeningKind} />
}
