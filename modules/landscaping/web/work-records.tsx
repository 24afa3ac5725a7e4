import { KindRecords } from '#modules/planned-work/web/public.tasks.ts'
import { greeningKind } from './kind.ts'

/** 绿化任务记录: what came of each item of each task. */
export default function WorkRecordsPage() {
  return <KindRecords spec={greeningKind} />
}
