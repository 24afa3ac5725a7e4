import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { isFileKey } from '#kit/server/files.ts'

type ItemData = Readonly<Record<string, unknown>>

/** An address for what an item refers to, made as it is sent: it opens for an hour or two. */
type MakeLink = (app: Pick<App, 'files'>, ownerId: Id, reference: string) => string

const linkByKind = new Map<string, MakeLink>()

/**
 * Items of a kind whose `picture` is no file but refers to something of their module's own: they go with
 * `templateLink` in its place. Called once, as the module is loaded.
 */
export const registerTemplateLink = (kind: string, makeLink: MakeLink): void =>
  void linkByKind.set(kind, makeLink)

/** What an item holds, as it is sent: neither a picture nor a template stands in it, but a link to it. */
export function linkedData(app: Pick<App, 'files'>, ownerId: Id, { picture, ...data }: ItemData): ItemData {
  if (typeof picture !== 'string') return { ...data, ...(picture !== undefined && { picture }) }
  const makeLink = linkByKind.get(String(data.kind))
  if (makeLink) return { ...data, templateLink: makeLink(app, ownerId, picture) }
  return isFileKey(picture)
    ? { ...data, pictureLink: app.files.signedUrl(ownerId, picture) }
    : { ...data, picture }
}
