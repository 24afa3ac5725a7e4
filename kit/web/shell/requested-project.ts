import type { Project } from '../session.ts'

/** What to do about the project that an address names. */
export type ProjectRequest =
  | { readonly kind: 'none' }
  | { readonly kind: 'switch'; readonly to: Project }
  | { readonly kind: 'refused'; readonly message: string }

/**
 * A project outside the user's data domain and one that does not exist get the same message, so that neither
 * is revealed. Until the list is loaded there is no message.
 */
export function judgeProjectRequest(
  requestedCode: string | null,
  all: readonly Project[] | undefined,
  current: Project | undefined,
): ProjectRequest {
  if (!requestedCode || !all) return { kind: 'none' }
  const to = all.find(p => p.code === requestedCode)
  if (to) return { kind: 'switch', to }
  return {
    kind: 'refused',
    message: current ? `无权访问该项目，已切换到${current.name}` : '无权访问该项目',
  }
}
