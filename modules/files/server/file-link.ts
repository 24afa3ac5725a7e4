import { parseId, type Id } from '#kit/domain/id.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { inlineTypes } from '#kit/server/file-type.ts'
import { anonymous, runReadCall } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { openMode } from '../contract/choices.ts'
import { downloadNodes, openFile, previewFile } from '../contract/transfer.ts'
import { isTextFile } from '../domain/file-kind.ts'
import { menu } from '../module.ts'

type OpenMode = keyof typeof openMode.rows

interface LinkedFile {
  readonly id: Id
  readonly name: string
  readonly contentType?: string | undefined
}

const messageOf = (ownerId: Id, operatorId: Id, id: Id, mode: OpenMode): string =>
  `file ${ownerId} ${operatorId} ${id} ${mode}`

function linkTo(app: Pick<App, 'files'>, scope: Scope, id: Id, mode: OpenMode): string {
  const { ownerId, operatorId } = scope
  const { until, signature } = app.files.sign(messageOf(ownerId, operatorId, id, mode))
  const query = new URLSearchParams({
    ID: String(id),
    Owner: String(ownerId),
    Operator: String(operatorId),
    Mode: String(codeOf(openMode, mode)),
    Until: String(until),
    Sign: signature,
  })
  return `/api/file/open?${query}`
}

/** Whether a browser can show it without running anything of it. */
export const canPreview = ({ name, contentType = '' }: Omit<LinkedFile, 'id'>): boolean =>
  inlineTypes.has(contentType) || isTextFile(name, contentType)

/** The addresses of a file that this caller may open; no others are sent (FILE-9). */
export const linksTo = (
  app: Pick<App, 'files'>,
  scope: Scope,
  file: LinkedFile,
): { readonly location?: string; readonly preview?: string } => ({
  ...(hasPermission(scope, menu.file.permissions.download) && {
    location: linkTo(app, scope, file.id, 'download'),
  }),
  ...(hasPermission(scope, menu.file.permissions.view) &&
    canPreview(file) && { preview: linkTo(app, scope, file.id, 'preview') }),
})

/** The parts of an address of this server; nothing where it names another host, or none of ours. */
function readLink(link: string): { readonly path: string; readonly query: URLSearchParams } | undefined {
  const base = 'http://localhost'
  if (!link.startsWith('/') || !URL.canParse(link, base)) return undefined
  const { origin, pathname, searchParams } = new URL(link, base)
  return origin === base ? { path: pathname.toLowerCase(), query: searchParams } : undefined
}

/**
 * The file of the company that a link names: one of the file manager's (`file/open`) or of the storage
 * (`File/Get`), signed by this server and still valid. Nothing else of an address is believed.
 */
export function fileOfLink(
  app: Pick<App, 'files'>,
  ownerId: Id,
  link: string,
): { readonly id: Id } | { readonly fileKey: string } | undefined {
  const { path, query } = readLink(link) ?? {}
  const textOf = (name: string): string => query?.get(name) ?? ''
  const until = Number(textOf('Until'))
  if (parseId(textOf('Owner')) !== ownerId || !Number.isSafeInteger(until)) return undefined
  if (path === '/api/file/get') {
    const fileKey = textOf('Key')
    return app.files.isValidSignature(ownerId, fileKey, until, textOf('Sign')) ? { fileKey } : undefined
  }
  const mode = keyOf(openMode, textOf('Mode'))
  const id = parseId(textOf('ID'))
  if (path !== '/api/file/open' || !mode) return undefined
  const message = messageOf(ownerId, parseId(textOf('Operator')), id, mode)
  return app.files.isSigned(message, until, textOf('Sign')) ? { id } : undefined
}

export const fileLinkHandlers = [
  anonymous(openFile, async ({ id, ownerId, operator, mode, until, sign }, { app, now, ip, requestId }) => {
    if (!app.files.isSigned(messageOf(ownerId, operator, id, mode), until, sign))
      throw new Refused(resultCode.forbidden, '链接已失效，请刷新页面后重试')
    const caller = await createCallerLoader(app.database)(ownerId, operator)
    if (!caller) throw new Refused(resultCode.forbidden, '链接已失效，请刷新页面后重试')
    const time = new Date(app.clock()).toISOString()
    const context = {
      app,
      now,
      today: dayOfMoment(now),
      signal: new AbortController().signal,
      db: app.database.reader(ownerId),
      scope: { ...caller, projectCode: '', ip, requestId, time },
    }
    // The rights are those of now, and the file is one that is not in the bin.
    return mode === 'preview'
      ? runReadCall(previewFile, { id }, context)
      : runReadCall(downloadNodes, { id }, context)
  }),
]
