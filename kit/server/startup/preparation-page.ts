/**
 * The page that a browser sees while the product starts: shows what is being prepared, and loads the address
 * it is at again once the product answers there.
 */
export const preparationHtml = `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>正在启动 · 安居</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/preparation.css">
<script src="/preparation.js" defer></script><noscript><meta http-equiv="refresh" content="3"></noscript></head>
<body><main><h1>安居</h1><p id="say" role="status">正在启动</p>
<progress id="all" max="1" value="0" aria-label="总进度"></progress><ol id="steps"></ol></main></body></html>`

export const preparationCss = `:root{color-scheme:light dark;--page:light-dark(#f5f7fa,#14171c);--card:light-dark(#fff,#1d2127);--text:light-dark(#1f2733,#e6e9ee);--dim:light-dark(#5b6572,#9aa5b1);--line:light-dark(#e3e7ed,#343a43);--main:light-dark(#0b6b75,#4fb3be);--done:light-dark(#1a7f4b,#5fce95)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;background:var(--page);color:var(--text);font:14px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{width:min(420px,100%);background:var(--card);border:1px solid var(--line);border-radius:8px;padding:32px}
h1{margin:0 0 4px;font-size:24px;line-height:1.3}p{margin:0 0 16px;color:var(--dim)}
progress{appearance:none;width:100%;height:6px;border:0;border-radius:3px;background:var(--line);overflow:hidden;display:block}
progress::-webkit-progress-bar{background:var(--line)}
progress::-webkit-progress-value{background:var(--main);border-radius:3px;transition:inline-size .3s}
progress::-moz-progress-bar{background:var(--main)}
ol{list-style:none;margin:24px 0 0;padding:0;display:grid;gap:12px}li{display:grid;grid-template-columns:1fr auto;gap:4px 12px}
li.waiting{color:var(--dim)}
li.done b{color:var(--done)}
b{font-weight:400;font-variant-numeric:tabular-nums}
small{grid-column:1/-1;font-size:12px;color:var(--dim);min-height:19px}
li progress{grid-column:1/-1;height:4px}
li:not(.running) small,li:not(.running) progress{display:none}
@media(prefers-reduced-motion:reduce){progress::-webkit-progress-value{transition:none}}`

export const preparationJs = `'use strict';
const at = id => document.getElementById(id)
const make = (tag, text = '') => { const e = document.createElement(tag); e.textContent = text; return e }
const words = { waiting: '等待', running: '', done: '完成' }
let lost = 0
function show({ share, steps }) {
  at('all').value = share
  at('say').textContent = '正在启动，' + Math.round(share * 100) + '%'
  at('steps').replaceChildren(...steps.map(step => {
    const item = make('li'), bar = make('progress')
    item.className = step.state
    bar.max = 1; bar.value = step.share; bar.setAttribute('aria-label', step.title)
    item.append(make('span', step.title), make('b', words[step.state] || Math.round(step.share * 100) + '%'), make('small', step.detail), bar)
    return item
  }))
}
async function poll() {
  try {
    const answer = await fetch('/preparation.json', { cache: 'no-store' })
    if (!answer.ok || !/json/.test(answer.headers.get('content-type'))) return location.reload()
    show(await answer.json())
    lost = 0
  } catch {
    lost++
    if (lost > 5) at('say').textContent = '服务未响应，请到启动它的窗口查看原因'
  }
  setTimeout(poll, 500)
}
poll()`
