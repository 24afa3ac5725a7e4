import { KindRecords } from './kind-records.tsx'
import { standardKind } from './standard-kind.ts'

/** 任务记录: what came of each item of each task. */
export default function RecordsPage() {
  return <KindRecords spec={standardKind} />
}
