import { KindTaskDetail } from '#modules/planned-work/web/public.tasks.ts'
import { greeningKind } from './kind.ts'

/** 绿化任务详情: one task, what it asks and what came of it. */
export default function WorkTaskPage() {
  return <KindTaskDetail calls={greeningKind.calls} />
}
