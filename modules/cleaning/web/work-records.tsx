import { KindRecords } from '#modules/planned-work/web/public.tasks.ts'
import { cleaningKind } from './kind.ts'

/** 保洁任务记录: what came of each item of each task. */
export default function WorkRecordsPage() {
  return <KindRecords spec={cleaningKind} />
}
