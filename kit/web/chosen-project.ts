import { useSession } from './session.ts'

/** The project chosen above; nothing where all are shown. */
export function useChosenProject(): string | undefined {
  const code = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  return code && code !== '0' ? code : undefined
}
