import { keysOf } from '#kit/contract/field.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { pushAction } from '../contract/choices.ts'
import type { PushAction } from '../contract/remote-command.ts'

export interface PushPayload {
  readonly action: PushAction
  readonly link: string
  readonly name: string
  readonly directory: string
}

const isPushAction = (text: string): text is PushAction => keysOf(pushAction).some(key => key === text)

/** What PUSHFILE carries, decoded: `action|link|name|directory`; nothing where it is none. */
export function readPushPayload(payload: string): PushPayload | undefined {
  const [action = '', link = '', name = '', ...rest] = payload.split('|')
  return isPushAction(action) && link ? { action, link, name, directory: rest.join('|') } : undefined
}

/**
 * The file that a link of the product names: the file manager links to `file/open` by number, other screens
 * to `File/Get` by key. Nothing else of the link is believed.
 */
export function fileOfLink(link: string): { readonly id: Id } | { readonly fileKey: string } | undefined {
  const query = new URLSearchParams(link.slice(link.indexOf('?') + 1))
  const id = parseId(query.get('ID') ?? '')
  if (id > 0) return { id }
  const key = query.get('Key')
  return key !== null && /^[0-9a-f]{40}$/.test(key) ? { fileKey: key } : undefined
}

/** RMT-4: what may be pushed in which way; the reason where it may not. */
export function pushFault(
  action: PushAction,
  file: { readonly name: string; readonly directoryType: 'ordinary' | 'push' | 'kernel' },
): string | undefined {
  const isKernelFolder = file.directoryType === 'kernel'
  if (action === 'kernel')
    return isKernelFolder && /\.kernel$/i.test(file.name)
      ? undefined
      : '推送内核须选择内核目录中的 .kernel 文件'
  if (action === 'package') return /\.zip$/i.test(file.name) ? undefined : '推送接口包须选择 .zip 文件'
  return isKernelFolder ? '内核目录中的文件不能作为普通文件推送，请使用推送内核' : undefined
}
