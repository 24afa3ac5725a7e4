import { keyOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import type { RawEndpoint } from '#kit/server/raw-endpoint.ts'
import { openRichText } from '#kit/server/rich-text.ts'
import { readSignedLink, signLink } from '#kit/server/signed-link.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { materialType } from '../contract/choices.ts'

const escapeHtml = (s: string): string => s.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)

const purpose = 'wechat-article'

/**
 * The address of an article; it tells nobody the next one. It stays open: a link in WeChat is kept and passed
 * on.
 */
export const articleUrl = async (app: App, origin: string, ownerId: Id, id: Id): Promise<string> =>
  `${origin}/api/wechat/article/${await signLink(app, purpose, { letter: 'a', ownerId, id })}`

const missing = { status: 404, body: '<!doctype html><meta charset="utf-8"><p>图文不存在，或链接已失效</p>' }

/** The page of an article, read in WeChat: its text was sanitised when it was saved. */
export const articleEndpoint: RawEndpoint = {
  route: 'GET /api/wechat/article/:token',
  run: async ({ params }, app) => {
    const link = await readSignedLink(app, purpose, params.token ?? '')
    if (link?.letter !== 'a') return missing
    const { ownerId, id } = link
    const article = await app.database.reader(ownerId).one<{
      title: string
      author?: string
      content?: string
      mediaType: number
    }>(sql`
      select title, author, content, media_type
      from wechat_material
      where owner_id = ${ownerId} and id = ${id} and ${notDeleted()}
    `)
    if (!article || keyOf(materialType, article.mediaType) !== 'article') return missing
    const title = escapeHtml(article.title)
    const author = article.author === undefined ? '' : `<p>${escapeHtml(article.author)}</p>`
    return {
      body: `<!doctype html><html lang="zh-CN"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title>
<h1>${title}</h1>${author}${openRichText(app, ownerId, article.content ?? '')}</html>`,
    }
  },
}
