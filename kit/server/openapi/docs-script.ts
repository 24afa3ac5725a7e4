/** What the page of the calls does: lists and finds them, shows one with its samples, and tries it. */
export const apiDocsJs = `'use strict';
const at = id => document.getElementById(id)
const make = (tag, text, attrs = {}) => {
  const element = document.createElement(tag)
  if (text !== undefined) element.textContent = text
  for (const name in attrs) element.setAttribute(name, attrs[name])
  return element
}
let all = [], doc
const token = () => JSON.parse(localStorage.getItem('etorcurrentuser') || '{}').Token || ''
/** The window keeps the chosen project with its name. */
const project = () => {
  const kept = sessionStorage.getItem('selectedproject') || ''
  try { return String(JSON.parse(kept).ProjectCode || '') } catch { return '' }
}

/** What a reference stands for; of a value that can be null, the value. */
function of(schema) {
  if (!schema) return {}
  if (schema.$ref) {
    const { $ref, ...rest } = schema
    return { ...of($ref.slice(2).split('/').reduce((part, key) => part[key], doc)), ...rest }
  }
  if (schema.anyOf) {
    const { anyOf, ...rest } = schema
    return { ...of(anyOf.find(each => each.type !== 'null')), ...rest }
  }
  return schema
}
function typeOf(raw) {
  const schema = of(raw)
  if (schema.const !== undefined) return String(schema.const)
  if (schema.enum) return schema.enum.filter(each => each !== null).join(' | ')
  if (schema.type === 'array') return typeOf(schema.items) + '[]'
  const bounds = schema.minimum !== undefined || schema.maximum !== undefined ? ' [' + (schema.minimum ?? '') + ', ' + (schema.maximum ?? '') + ']' : ''
  return [].concat(schema.type || '').filter(each => each !== 'null').join('/') + (schema.maxLength ? ' ≤' + schema.maxLength : '') + bounds
}
function rows(raw, under, depth = 0) {
  const schema = of(raw), object = schema.type === 'array' ? of(schema.items) : schema
  if (depth > 3) return []
  return Object.entries(object.properties || {}).flatMap(([name, member]) => {
    const resolved = of(member), isList = resolved.type === 'array'
    return [
      [under + name, typeOf(member), (object.required || []).includes(name) ? '是' : '', resolved.description || ''],
      ...rows(member, under + name + (isList ? '[].' : '.'), depth + 1),
    ]
  })
}
function table(head, lines) {
  const element = make('table'), top = element.createTHead().insertRow(), body = element.createTBody()
  for (const text of head) top.append(make('th', text, { scope: 'col' }))
  for (const line of lines) {
    const row = body.insertRow()
    line.forEach((text, i) => row.insertCell().append(i < 2 ? make('code', text) : document.createTextNode(text)))
  }
  return element
}
const parametersOf = o => (o.parameters || []).map(of)
const bodyTypeOf = o => Object.keys(o.requestBody.content)[0]
const exampleOf = o => {
  const [content] = Object.values(o.requestBody.content)
  const [example] = Object.values(content.examples || {})
  return example ? of(example).value : {}
}
const queryExampleOf = o => parametersOf(o).filter(p => p.required || p.name === 'ProjectCode').map(p => p.name + '=' + (p.name === 'ProjectCode' ? project() : '')).join('&')
const json = value => JSON.stringify(value, null, 2)
const quote = text => "'" + text.replaceAll("'", "'\\\\''") + "'"
function curlOf({ method, path, o }) {
  const start = 'curl' + (method === 'GET' ? '' : ' -X ' + method) + ' -H ' + quote('token: <令牌>')
  if (!o.requestBody) return start + ' ' + quote(location.origin + path + (queryExampleOf(o) ? '?' + queryExampleOf(o) : ''))
  if (o['x-upload']) return start + ' -F file=@<文件> ' + quote(location.origin + path)
  return start + " -H 'content-type: application/json' \\\\\\n  -d " + quote(JSON.stringify(exampleOf(o))) + ' ' + quote(location.origin + path)
}
const isFile = o => 'application/octet-stream' in (of(o.responses['200']).content || {})
function typescriptOf({ method, path, o }) {
  const query = queryExampleOf(o).split('&').filter(Boolean).map(pair => JSON.stringify(pair.split('=')[0]) + ": '" + pair.split('=')[1] + "'").join(', ')
  const options = o.requestBody ? '{ body: ' + JSON.stringify(exampleOf(o)) + ' }' : query ? '{ params: { query: { ' + query + ' } } }' : ''
  if (isFile(o)) return 'const { data } = await client.' + method + "('" + path + "', { " + [options.slice(2, -2), "parseAs: 'blob'"].filter(Boolean).join(', ') + ' })\\nif (data) save(data)'
  return 'const { data } = await client.' + method + "('" + path + "'" + (options ? ', ' + options : '') + ')\\nif (data?.Code === 10000) console.log(data.Data)\\nelse console.log(data?.Message)'
}
/** The call as it stands in the field, sent with the session of this browser. */
function tryIt(entry) {
  const { method, path, o } = entry, box = make('div', undefined, { class: 'try' })
  if (o['x-upload'] || !o.responses['200'].content) {
    box.append(make('p', '文件的上传与下载请在页面上操作。'))
    return box
  }
  const field = make('textarea', o.requestBody ? json(exampleOf(o)) : queryExampleOf(o).replaceAll('&', '\\n'), { 'aria-label': o.requestBody ? '请求内容（JSON）' : '查询参数，一行一个', spellcheck: 'false' })
  const button = make('button', method === 'GET' ? '发送' : '发送（会真的执行）', { type: 'button' }), answer = make('pre', '', { 'aria-label': '答复' })
  answer.hidden = true
  box.append(make('p', token() ? '以本浏览器登录的账号调用。' : '未登录：只能调用无需登录的接口。'), field, button, answer)
  button.addEventListener('click', async () => {
    button.disabled = true
    answer.hidden = false
    answer.textContent = '……'
    try {
      const query = field.value.split('\\n').map(line => line.trim()).filter(Boolean).map(line => line.split('=').map(encodeURIComponent).join('=')).join('&')
      const reply = await fetch(o.requestBody ? path : path + (query ? '?' + query : ''), {
        method,
        headers: { token: token(), ...(o.requestBody ? { 'content-type': 'application/json' } : {}) },
        ...(o.requestBody ? { body: JSON.stringify(JSON.parse(field.value)) } : {}),
      })
      const text = await reply.text()
      let shown = text
      try { shown = json(JSON.parse(text)) } catch {}
      answer.textContent = 'HTTP ' + reply.status + '  请求编号 ' + reply.headers.get('x-request-id') + '\\n' + shown.slice(0, 20000)
    } catch (error) {
      answer.textContent = error instanceof SyntaxError ? '请求内容不是正确的 JSON：' + error.message : '没有收到答复：' + error.message
    }
    button.disabled = false
  })
  return box
}
function show(entry) {
  const { o } = entry, page = at('one')
  const facts = [['权限', o['x-needs'] + (o['x-permission'] ? '（' + o['x-permission'] + '）' : '')], ['别名', (o['x-names'] || []).join('  ') || '--'], ['Code', (o['x-codes'] || []).join('  ')]]
  if (o['x-per-minute']) facts.push(['每分钟', String(o['x-per-minute'])])
  const input = o.requestBody ? rows(Object.values(o.requestBody.content)[0].schema, '') : parametersOf(o).map(p => [p.name, typeOf(p.schema), p.required ? '是' : '', p.description || of(p.schema).description || ''])
  const success = of(o.responses['200']), body = success.content && success.content['application/json'].schema
  page.replaceChildren(
    make('h2', o.summary), make('pre', entry.method + ' ' + entry.path), table(['项', '值'], facts),
    make('h3', '请求' + (o.requestBody ? '（' + Object.keys(o.requestBody.content).join('，') + '）' : '（查询参数）')), table(['名称', '类型', '必填', '说明'], input),
    make('h3', '答复'), body.oneOf && body.oneOf[0].$ref !== '#/components/schemas/InputRefusal' ? table(['名称', '类型', '总有', '说明'], rows(body.oneOf[0], '')) : make('p', success.description),
    make('h3', '示例：curl'), make('pre', curlOf(entry)), make('h3', '示例：TypeScript'), make('pre', typescriptOf(entry)),
    make('h3', '试一试'), tryIt(entry),
  )
  page.focus({ preventScroll: true })
  page.scrollTop = 0
  for (const link of at('list').querySelectorAll('a')) {
    if (link.hash === location.hash) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}
function list() {
  const words = at('find').value.trim().toLowerCase().split(/\\s+/).filter(Boolean), nav = at('list')
  const found = all.filter(entry => words.every(word => entry.text.includes(word)))
  let tag
  nav.replaceChildren()
  for (const entry of found) {
    if (entry.tag !== tag) nav.append(make('h2', tag = entry.tag))
    const link = make('a', undefined, { href: '#' + entry.id })
    link.append(make('b', entry.method, { class: 'm' }), make('span', entry.o.summary), make('small', entry.path.slice(5)))
    nav.append(link)
  }
  at('count').textContent = found.length + ' / ' + all.length + ' 个接口'
}
function samples() {
  const origin = location.origin, texts = {
    signIn: "curl -X POST -H 'content-type: application/json' \\\\\\n  -d '{\\"Data\\":{\\"Logincode\\":\\"账号\\",\\"Password\\":\\"密码\\"}}' '" + origin + "/api/Manager/Login'",
    call: "curl -H 'token: <令牌>' '" + origin + "/api/room/get?ProjectCode=<项目>&PageSize=20'",
    key: "curl -H 'Authorization: Bearer anju_…' '" + origin + "/api/room/get?PageIndex=1&PageSize=20'\\n\\n// TypeScript（按上面生成类型）\\nconst byKey = createClient<paths>({ baseUrl: '" + origin + "', headers: { Authorization: 'Bearer ' + key } })",
    typescript: "npx openapi-typescript openapi.json -o api.ts   # curl -H 'token: <令牌>' " + origin + "/api/openapi.json -o openapi.json\\n\\nimport createClient from 'openapi-fetch'\\nimport type { paths } from './api.ts'\\n\\nconst client = createClient<paths>({ baseUrl: '" + origin + "', headers: { token } })\\nconst { data } = await client.GET('/api/room/get', { params: { query: { ProjectCode: project, PageSize: 20 } } })\\nif (data?.Code === 10000) console.log(data.Total, data.Data)\\nelse if (data?.Code === 10001) console.log(data.Data)\\nelse console.log(data?.Message)",
  }
  for (const pre of document.querySelectorAll('[data-sample]')) pre.textContent = texts[pre.dataset.sample]
}
const go = () => {
  const entry = all.find(each => each.id === location.hash.slice(1))
  if (entry) show(entry)
}
samples()
fetch('/api/openapi.json', { headers: { token: token() } }).then(reply => reply.ok ? reply.json() : Promise.reject(reply.status)).then(answer => {
  if (!answer.paths) throw new Error(answer.Message)
  doc = answer
  for (const [path, operations] of Object.entries(doc.paths))
    for (const [method, o] of Object.entries(operations)) {
      const fields = o.requestBody ? rows(Object.values(o.requestBody.content)[0].schema, '', 2) : parametersOf(o).map(p => [p.name, p.description])
      const text = [path, o.summary, o.tags[0], o['x-permission'], ...(o['x-names'] || []), ...fields.flat()].join(' ').toLowerCase()
      all.push({ path, method: method.toUpperCase(), o, id: o.operationId, tag: o.tags[0], text })
    }
  const order = doc.tags.map(each => each.name)
  all.sort((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag))
  at('about').textContent = doc.info.description
  list()
  go()
}).catch(() => { at('about').textContent = '接口描述加载失败，请先登录再刷新。' })
at('find').addEventListener('input', list)
addEventListener('hashchange', go)`
