/** A page that browses `/api/openapi.json`: one file of style, one of script, nothing from elsewhere. */
export const apiDocsHtml = `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>接口文档 · 安居</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs.css"><script src="/api/docs.js" defer></script></head>
<body><header><h1>接口文档</h1><label>查找 <input id="find" type="search" placeholder="路径、名称、权限、字段" autofocus></label><span id="count" role="status"></span></header>
<main><nav id="list" aria-label="接口"></nav><article id="one" tabindex="-1" aria-live="polite">
<h2>第一步</h2><p id="about"></p>
<ol><li>登录得到令牌：<pre data-sample="signIn"></pre></li>
<li>以后每个请求带上请求头 <code>token</code>：<pre data-sample="call"></pre></li>
<li>先看 <code>Code</code>：10000 是成功，<code>Data</code> 是结果；10001 的 <code>Data</code> 逐项说明哪里填错；其余的原因在 <code>Message</code>，可以直接给人看。HTTP 401 是登录失效，429 与 503 按 <code>retry-after</code> 稍后再试。</li>
<li>写入带上自己生成的 <code>uuid</code>：没有收到答复时原样再发一次，不会做两遍。</li></ol>
<h3>用接口密钥</h3><p>程序不必登录：在「设置 › 系统对接 › 接口密钥」中新增一个，选好权限与项目，用 <code>Authorization: Bearer</code> 代替令牌。密钥只显示一次，可随时吊销；超出权限答 10003，超过每分钟次数答 429，密钥无效答 401。</p><pre data-sample="key"></pre>
<h3>TypeScript</h3><p>类型由接口描述生成，成功与拒绝按 <code>Code</code> 区分：</p><pre data-sample="typescript"></pre>
<p>左边选一个接口，可以看到参数、示例，并试着调用。</p></article></main>
<noscript>此页需要启用脚本；机器可读的描述在 <a href="/api/openapi.json">/api/openapi.json</a>。</noscript></body></html>`

export const apiDocsCss = `:root{color-scheme:light dark;--line:light-dark(#d9dee5,#39404a);--soft:light-dark(#f4f6f9,#1c2128);--main:light-dark(#0b62d6,#7ab4ff);--dim:light-dark(#5b6572,#9aa5b1)}
*{box-sizing:border-box}
body{margin:0;background:Canvas;color:CanvasText;font:14px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
header{display:flex;gap:16px;align-items:center;padding:8px 16px;border-bottom:1px solid var(--line);position:sticky;top:0;background:Canvas;flex-wrap:wrap}
h1{font-size:16px;margin:0}input{font:inherit;padding:4px 8px;width:320px;max-width:60vw;border:1px solid var(--line);border-radius:4px}
main{display:grid;grid-template-columns:minmax(280px,420px) 1fr;height:calc(100vh - 49px)}
nav,article{overflow:auto;padding:8px 16px}
nav{border-right:1px solid var(--line)}
nav h2{font-size:13px;color:var(--dim);margin:12px 0 4px}
nav a{display:grid;grid-template-columns:60px 1fr;gap:0 8px;padding:4px 6px;border-radius:4px;text-decoration:none;color:inherit}
nav a:hover,nav a[aria-current]{background:var(--soft)}
nav small{grid-column:2;color:var(--dim);word-break:break-all}
b.m{color:var(--main);font-size:12px}
table{border-collapse:collapse;width:100%;margin:4px 0 16px}
th,td{border:1px solid var(--line);padding:4px 8px;text-align:left;vertical-align:top}
th{background:var(--soft);font-weight:600}
code,pre{font:12.5px/1.5 ui-monospace,Consolas,monospace}
pre{background:var(--soft);padding:12px;white-space:pre-wrap;overflow-wrap:anywhere;border-radius:4px;margin:4px 0 16px}
.try pre{justify-self:stretch}
textarea{width:100%;min-height:140px;padding:8px;border:1px solid var(--line);border-radius:4px;background:Canvas;color:inherit}
button{font:inherit;padding:4px 16px;border:1px solid var(--main);border-radius:4px;background:var(--main);color:Canvas;cursor:pointer}
button:disabled{opacity:.6}
.try{display:grid;gap:8px;justify-items:start;margin-bottom:16px}
.try p{margin:0;color:var(--dim)}
h3{margin:16px 0 4px;font-size:14px}
@media(max-width:760px){main{grid-template-columns:1fr;height:auto}nav{border-right:0;max-height:40vh}}`
