import type { Project } from '../session.ts'

/** What to do about the project that an address names. */
export type ProjectRequest =
  | { readonly kind: 'none' }
  | { readonly kind: 'switch'; readonly to: Project }
  | { readonly kind: 'refused'; readonly message: string }

/**
 * A project outside the person's data domain and one that does not exist are told alike: neither is said to
 * be there. Until the list is known nothing is said.
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
