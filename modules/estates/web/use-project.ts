import { useSession } from '#kit/web/session.ts'

/** The project chosen above; nothing where all are shown. */
export function useProject(): string | undefined {
  const code = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  return code && code !== '0' ? code : undefined
}
