/** A page that browses `/api/openapi.json`: one file of style, one of script, nothing from elsewhere. */
export const apiDocsHtml = `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>接口文档 · 安居</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs.css"><script src="/api/docs.js" defer></script></head>
<body><header><h1>接口文档</h1><label>查找 <input id="find" type="search" placeholder="路径、名称、权限、字段" autofocus></label><span id="count" role="status"></span></header>
<main><nav id="list" aria-label="接口"></nav><article id="one" tabindex="-1" aria-live="polite"><p id="about"></p></article></main>
<noscript>此页需要启用脚本；机器可读的描述在 <a href="/api/openapi.json">/api/openapi.json</a>。</noscript></body></html>`

export const apiDocsCss = `:root{color-scheme:light dark;--line:light-dark(#d9dee5,#39404a);--soft:light-dark(#f4f6f9,#1c2128);--main:light-dark(#0b62d6,#7ab4ff);--dim:light-dark(#5b6572,#9aa5b1)}
*{box-sizing:border-box}body{margin:0;font:14px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
header{display:flex;gap:16px;align-items:center;padding:8px 16px;border-bottom:1px solid var(--line);position:sticky;top:0;background:Canvas;flex-wrap:wrap}
h1{font-size:16px;margin:0}input{font:inherit;padding:4px 8px;width:320px;max-width:60vw;border:1px solid var(--line);border-radius:4px}
main{display:grid;grid-template-columns:minmax(280px,420px) 1fr;height:calc(100vh - 49px)}nav,article{overflow:auto;padding:8px 16px}nav{border-right:1px solid var(--line)}
nav h2{font-size:13px;color:var(--dim);margin:12px 0 4px}nav a{display:grid;grid-template-columns:52px 1fr;gap:0 8px;padding:4px 6px;border-radius:4px;text-decoration:none;color:inherit}
nav a:hover,nav a[aria-current]{background:var(--soft)}nav small{grid-column:2;color:var(--dim);word-break:break-all}b.m{color:var(--main);font-size:12px}
table{border-collapse:collapse;width:100%;margin:4px 0 16px}th,td{border:1px solid var(--line);padding:4px 8px;text-align:left;vertical-align:top}th{background:var(--soft);font-weight:600}
code,pre{font:12.5px/1.5 ui-monospace,Consolas,monospace}pre{background:var(--soft);padding:12px;overflow:auto;border-radius:4px}h3{margin:16px 0 4px;font-size:14px}
@media(max-width:760px){main{grid-template-columns:1fr;height:auto}nav{border-right:0;max-height:40vh}}`

export const apiDocsJs = `'use strict';
const at = id => document.getElementById(id)
const make = (tag, text, attrs = {}) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; for (const k in attrs) e.setAttribute(k, attrs[k]); return e }
const typeOf = s => !s ? '' : s.enum ? s.enum.join(' | ') : s.type === 'array' ? (typeOf(s.items) || '') + '[]' : [].concat(s.type || '').join('/') + (s.maxLength ? ' ≤' + s.maxLength : '') + (s.minimum !== undefined || s.maximum !== undefined ? ' [' + (s.minimum ?? '') + ', ' + (s.maximum ?? '') + ']' : '')
function rows(schema, under, required) {
  if (!schema) return []
  const props = schema.type === 'array' ? (schema.items || {}).properties : schema.properties
  const must = (schema.type === 'array' ? (schema.items || {}).required : schema.required) || []
  return Object.entries(props || {}).flatMap(([k, v]) => [[under + k, typeOf(v), must.includes(k) ? '是' : '', v.description || ''], ...rows(v, under + k + (v.type === 'array' ? '[].' : '.'))])
}
function table(head, lines) {
  const t = make('table'), h = t.createTHead().insertRow(), b = t.createTBody()
  for (const x of head) h.append(make('th', x, { scope: 'col' }))
  for (const l of lines) { const r = b.insertRow(); l.forEach((x, i) => { const c = r.insertCell(); c.append(i < 2 ? make('code', x) : document.createTextNode(x)) }) }
  return t
}
let all = [], doc
function show(x) {
  const o = x.o, page = at('one'); page.replaceChildren()
  page.append(make('h2', o.summary), make('pre', x.method + ' ' + x.path))
  page.append(table(['项', '值'], [['权限', o['x-needs'] + (o['x-permission'] ? '（' + o['x-permission'] + '）' : '')], ['别名', (o['x-names'] || []).join('  ') || '--'], ['Code', (o['x-codes'] || []).join('  ')]].concat(o['x-per-minute'] ? [['每分钟', String(o['x-per-minute'])]] : [])))
  const input = o.parameters ? o.parameters.map(p => [p.name, typeOf(p.schema), p.required ? '是' : '', p.schema.description || '']) : rows(Object.values(o.requestBody.content)[0].schema, '')
  page.append(make('h3', '请求' + (o.requestBody ? '（' + Object.keys(o.requestBody.content).join('，') + '）' : '（查询参数）')), table(['名称', '类型', '必填', '说明'], input))
  const ok = o.responses['200'], json = ok.content['application/json'].schema, answer = json.anyOf ? json.anyOf[0] : undefined
  page.append(make('h3', '响应'))
  page.append(answer ? table(['名称', '类型', '总有', '说明'], rows(answer, '')) : make('p', ok.description))
  page.focus({ preventScroll: true }); page.scrollTop = 0
  for (const a of at('list').querySelectorAll('a')) a.toggleAttribute('aria-current', a.hash === location.hash)
}
function list() {
  const q = at('find').value.trim().toLowerCase().split(/\\s+/).filter(Boolean), nav = at('list'); nav.replaceChildren()
  const found = all.filter(x => q.every(w => x.text.includes(w))); let tag
  for (const x of found) {
    if (x.tag !== tag) nav.append(make('h2', tag = x.tag))
    const a = make('a', undefined, { href: '#' + encodeURIComponent(x.id) }); a.append(make('b', x.method, { class: 'm' }), make('span', x.o.summary), make('small', x.path.slice(5))); nav.append(a)
  }
  at('count').textContent = found.length + ' / ' + all.length + ' 个接口'
}
const go = () => { const x = all.find(y => y.id === decodeURIComponent(location.hash.slice(1))); if (x) show(x) }
fetch('/api/openapi.json', { headers: { token: JSON.parse(localStorage.getItem('etorcurrentuser') || '{}').Token || '' } }).then(r => r.ok ? r.json() : Promise.reject(r.status)).then(d => {
  doc = d
  for (const [path, ops] of Object.entries(d.paths)) for (const [m, o] of Object.entries(ops)) all.push({ path, method: m.toUpperCase(), o, id: o.operationId, tag: o.tags[0], text: (path + ' ' + JSON.stringify(o)).toLowerCase() })
  const order = d.tags.map(t => t.name); all.sort((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag))
  at('about').textContent = d.info.description
  list(); go()
}).catch(() => { at('one').textContent = '接口描述加载失败，请先登录再刷新。' })
at('find').addEventListener('input', list); addEventListener('hashchange', go)`
