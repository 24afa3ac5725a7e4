import { KindTaskDetail } from '#modules/planned-work/web/public.tasks.ts'
import { cleaningKind } from './kind.ts'

/** 保洁任务详情: one task, what it asks and what came of it. */
export default function WorkTaskPage() {
  return <KindTaskDetail calls={cleaningKind.calls} />
}
