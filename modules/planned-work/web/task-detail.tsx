import { KindTaskDetail } from './kind-task-detail.tsx'
import { standardKind } from './standard-kind.ts'

/** One task of a standard: what it asks and what came of it. */
export default function TaskDetailPage() {
  return <KindTaskDetail calls={standardKind.calls} />
}
