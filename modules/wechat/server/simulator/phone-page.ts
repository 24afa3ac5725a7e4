import type { PhoneMessage, SimulatedAccount, SimulatedButton, SimulatedFollower } from './platform-state.ts'

const escapeHtml = (s: string): string => s.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)

const style = `body{max-width:420px;margin:0 auto;padding:0 12px 24px;font:16px/1.6 sans-serif;background:#ededed}
h1{font-size:17px;text-align:center}form{display:inline}
input{padding:8px;font:inherit;box-sizing:border-box}button{padding:8px 12px;font:inherit}
.line{display:flex;margin:10px 0}.me{justify-content:flex-end}
.bubble{max-width:78%;padding:8px 12px;border-radius:6px;background:#fff;white-space:pre-line;overflow-wrap:anywhere}
.me .bubble{background:#95ec69}.event{text-align:center;color:#666;font-size:13px;margin:10px 0}
.row{display:flex;gap:8px;margin:10px 0}.row input{flex:1;min-width:0}.menu{display:flex;gap:8px}
.menu div{flex:1}.menu button,.menu a{display:block;width:100%;margin-top:6px;box-sizing:border-box}
ul{padding:0}li{list-style:none;margin:10px 0;padding:12px;background:#fff;border-radius:6px}`

const pageOf = (
  title: string,
  body: string,
): string => `<!doctype html><html lang="zh-CN"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}（模拟微信）</title><style>${style}</style>
<h1>${escapeHtml(title)}（模拟微信）</h1>${body}</html>`

/** The accounts of this simulator. */
export const accountsPage = (accounts: readonly SimulatedAccount[]): string =>
  pageOf(
    '公众号',
    `<ul>${accounts
      .map(({ keys }) => `<li><a href="/phone/${keys.appId}">${escapeHtml(keys.name)}</a></li>`)
      .join('')}</ul>${accounts.length ? '' : '<p>暂无公众号</p>'}`,
  )

const messageHtml = ({ from, kind, text, url }: PhoneMessage): string => {
  if (kind === 'event') return `<p class="event">${escapeHtml(text)}</p>`
  const title = kind === 'template' ? '<b>模板消息</b>\n' : ''
  const link = url === undefined ? '' : `\n<a href="${escapeHtml(url)}">查看详情</a>`
  return `<div class="line ${from}"><div class="bubble">${title}${escapeHtml(text)}${link}</div></div>`
}

const actionForm = (appId: string, person: string, what: string, label: string, extra = ''): string =>
  `<form method="post" action="/phone/${appId}/act"><input type="hidden" name="person" value="${escapeHtml(person)}">
<input type="hidden" name="what" value="${what}">${extra}<button>${escapeHtml(label)}</button></form>`

const buttonHtml = (appId: string, person: string, button: SimulatedButton): string => {
  if (button.type === 'click')
    return actionForm(
      appId,
      person,
      'tap',
      button.name,
      `<input type="hidden" name="key" value="${escapeHtml(button.key ?? '')}">`,
    )
  return `<a href="${escapeHtml(button.url ?? '#')}"><button type="button">${escapeHtml(button.name)}</button></a>`
}

const menuHtml = (account: SimulatedAccount, person: string): string =>
  `<nav class="menu" aria-label="公众号菜单">${account.menu
    .map(button =>
      button.sub_button?.length
        ? `<div><b>${escapeHtml(button.name)}</b>${button.sub_button
            .map(child => buttonHtml(account.keys.appId, person, child))
            .join('')}</div>`
        : `<div>${buttonHtml(account.keys.appId, person, button)}</div>`,
    )
    .join('')}</nav>`

function strangerHtml(account: SimulatedAccount, person: string): string {
  const { appId } = account.keys
  const scenes = [...account.scenes.values()]
  const options = scenes.map(
    scene => `<option value="${escapeHtml(scene)}">项目二维码 ${escapeHtml(scene)}</option>`,
  )
  return `<form method="post" action="/phone/${appId}/act"><input type="hidden" name="what" value="follow">
<div class="row"><input name="person" aria-label="模拟的微信号" value="${escapeHtml(person)}" maxlength="40" required></div>
<div class="row"><select name="scene" aria-label="来源"><option value="">搜索关注</option>${options.join('')}</select></div>
<button>关注</button></form>`
}

function followerHtml(account: SimulatedAccount, follower: SimulatedFollower): string {
  const { appId } = account.keys
  const { name } = follower
  const conversation = `<main aria-label="会话">${follower.messages.map(messageHtml).join('')}</main>`
  const form = `<form method="post" action="/phone/${appId}/act"><input type="hidden" name="what" value="say">
<input type="hidden" name="person" value="${escapeHtml(name)}">
<div class="row"><input name="text" aria-label="消息" maxlength="600" required autofocus><button>发送</button></div></form>`
  const refuse = follower.refusesTemplates ? '允许模板消息' : '拒收模板消息'
  const rest = [actionForm(appId, name, 'refuse', refuse), actionForm(appId, name, 'leave', '取消关注')].join(
    ' ',
  )
  return `${conversation}${form}${menuHtml(account, name)}<p>${escapeHtml(name)} ${rest}</p>`
}

/** The conversation of a person with an account, or the button that begins it. */
export const phonePage = (account: SimulatedAccount, person: string, follower?: SimulatedFollower): string =>
  pageOf(
    account.keys.name,
    follower?.isFollowing ? followerHtml(account, follower) : strangerHtml(account, person),
  )
