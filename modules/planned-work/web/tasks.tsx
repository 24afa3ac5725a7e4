import { KindTasks } from './kind-tasks.tsx'
import { standardKind } from './standard-kind.ts'

/** 任务: everything that plans ask for, with how far it has come. */
export default function TasksPage() {
  return <KindTasks spec={standardKind} />
}
