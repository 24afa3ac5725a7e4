import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { channelOf, sendNow } from '#modules/messaging/server/public.ts'
import { listEntranceCodes } from '#modules/resident-page/contract/codes.ts'
import { askResidentWechat, signInByWechat } from '#modules/resident-page/contract/home.ts'
import {
  confirmResidentWechat,
  createResidentQr,
  scanResidentQr,
} from '#modules/residents/contract/wechat.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { listPaySettings, resetServerConfig, testWechatAccount, wechatAccounts } from '../contract/account.ts'
import { bindEstates, getEstateQr, unbindEstates, wechatEstates } from '../contract/estate-binding.ts'
import { pickFollowers, wechatFollowers } from '../contract/follower.ts'
import { cancelMass, countMassReceivers, sendMass, wechatMasses } from '../contract/mass.ts'
import { pickMaterials, uploadMaterial, wechatMaterials } from '../contract/material.ts'
import { getWechatMenu, publishWechatMenu, saveWechatMenu } from '../contract/menu.ts'
import { getRepliesByEvent, wechatReplies } from '../contract/reply.ts'
import { listPlatformTemplates, sendTrialTemplate, wechatTemplates } from '../contract/template.ts'
import { retryingFault } from '../domain/outage.ts'
import { deleteOldMessages } from './callback.ts'
import { findFollower } from './followers.ts'
import { accessTokenOf } from './platform/access-token.ts'
import { requireStoredAccount } from './platform/account-store.ts'
import { callPlatform } from './platform/platform-client.ts'
import { writeXml } from './platform/xml.ts'
import { sendEventMessage } from './template-sending.ts'
import { AccountFixture, openCallbackServer, type CallbackServer } from './wechat.fixtures.ts'

let t: GoldenApp
let me: CallOptions
let callbacks: CallbackServer
let wx: AccountFixture

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  callbacks = await openCallbackServer(t.app)
  wx = await AccountFixture.open(t, me)
})

afterAll(async () => {
  callbacks?.close()
  await t?.close()
})

const stored = (id: Id = wx.id) => requireStoredAccount(t.app, t.database.reader(t.ownerId), t.ownerId, id)

type ReplyValues = Partial<NonNullable<typeof wechatReplies.save.input.T>>

const addReply = (values: ReplyValues, accountId: Id = wx.id) =>
  t.call(
    wechatReplies.save,
    {
      accountId,
      ruleName: '规则',
      event: 'keyword',
      replyType: 'text',
      state: 'on',
      ...values,
    },
    me,
  )

it('secrets go in and never come out; an account without one is refused', async () => {
  const draft = {
    mpName: '真号',
    mpType: 'service',
    appId: 'wxfedcba9876543210',
    simulated: false,
    messageMode: 'encrypted',
  } as const
  expect(await refusalTextOf(t.call(wechatAccounts.add, draft, me))).toBe('请填写 AppSecret')
  const appSecret = 'a-secret-of-the-platform'
  const added = await t.call(wechatAccounts.add, { ...draft, appSecret }, me)
  expect(JSON.stringify(added)).not.toContain(appSecret)
  expect(added.hasStoredSecret).toBe(true)
  expect(await refusalTextOf(t.call(wechatAccounts.add, { ...draft, appSecret }, me))).toContain(
    '该 AppID 已添加',
  )
  const row = await t.database.reader(t.ownerId).one<{ text: string }>(sql`
    select encode(run_secret, 'escape') as text from wechat_account where owner_id = ${t.ownerId} and id = ${added.id}
  `)
  expect(defined(row).text).not.toContain(appSecret)
  const config = await t.call(resetServerConfig, { id: added.id }, me)
  expect(config.address).toBe(`/api/wechat/callback/${t.ownerId}/${added.id}`)
  expect(config.encodingAesKey).toMatch(/^[A-Za-z0-9]{43}$/)
  expect(await stored(added.id)).toMatchObject({ token: config.token, aesKey: config.encodingAesKey })
  await t.call(wechatAccounts.delete, { ids: [String(added.id)], reason: '测试' }, me)
})

it('the connection test asks the platform, and says what is wrong in words', async () => {
  expect(await t.call(testWechatAccount, { id: wx.id }, me)).toEqual({
    isOk: true,
    message: '连接正常，已取得接口凭证',
  })
  const row = await t.call(wechatAccounts.get, { id: wx.id }, me)
  expect(row).toMatchObject({ authState: 'authorized', hasServerConfig: true })
  expect(row.simulatorUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/phone\/wx/)
  const { keys } = wx.platform
  const account = await stored()
  await t.database.tx(t.ownerId, tx =>
    tx.execute(
      sql`update wechat_account set app_id = 'wx00000000000000ff' where owner_id = ${t.ownerId} and id = ${wx.id}`,
    ),
  )
  // The simulator is asked for an account whose secret it does not know.
  const other = await AccountFixture.open(t, me)
  await t.database.tx(t.ownerId, tx =>
    tx.execute(
      sql`update wechat_account set app_id = ${account.appId} where owner_id = ${t.ownerId} and id = ${wx.id}`,
    ),
  )
  wx.platform.keys = keys
  expect(await t.call(testWechatAccount, { id: other.id }, me)).toMatchObject({ isOk: true })
})

it('a platform that is away leaves the state of the account as it is', async () => {
  const account = await AccountFixture.open(t, me)
  const test = () => t.call(testWechatAccount, { id: account.id }, me)
  const stateOf = async () => (await t.call(wechatAccounts.get, { id: account.id }, me)).authState
  account.platform.isAway = true
  expect((await test()).message).toContain('连接不上微信服务器')
  expect(await stateOf()).toBeUndefined()
  account.platform.isAway = false
  await test()
  account.platform.isAway = true
  expect(await test()).toMatchObject({ isOk: false })
  expect(await stateOf()).toBe('authorized')
})

it('one server of many renews the access token; a refused one is replaced once', async () => {
  const account = await stored()
  const tokens = await Promise.all(Array.from({ length: 8 }, () => accessTokenOf(t.app, account)))
  expect(new Set(tokens).size).toBe(1)
  const [old = ''] = tokens
  wx.platform.expireTokens(t.app.clock())
  const renewed = await Promise.all(Array.from({ length: 8 }, () => accessTokenOf(t.app, account, old)))
  expect(new Set(renewed).size).toBe(1)
  expect(renewed[0]).not.toBe(old)
  wx.platform.expireTokens(t.app.clock())
  await expect(
    callPlatform(t.app, account, '/cgi-bin/template/get_all_private_template'),
  ).resolves.toHaveProperty('template_list')
  // It is renewed before it ends by itself, too.
  t.advanceClock(7_000_000)
  expect(await accessTokenOf(t.app, account)).not.toBe(renewed[0])
})

it('a bound estate has a code; who follows by it is known with the estate', async () => {
  const bound = await t.call(bindEstates, { accountId: wx.id, projectCodes: ['GOLD0001'] }, me)
  expect(bound).toMatchObject({ success: 1, fail: 0 })
  const other = await AccountFixture.open(t, me)
  const again = await t.call(bindEstates, { accountId: other.id, projectCodes: ['GOLD0001'] }, me)
  expect(again.rows[0]?.reason).toBe(`已绑定「${wx.account.mpName}」，请先解除`)
  const [row] = (await t.call(wechatEstates.list, { accountId: [String(wx.id)] }, me)).rows
  const { url } = await t.call(getEstateQr, { id: defined(row).id }, me)
  expect(url).toMatch(/^http:\/\/weixin\.qq\.com\/q\//)
  expect((await t.call(getEstateQr, { id: defined(row).id }, me)).url).toBe(url)
  expect(await wx.perform('小王', 'follow', { scene: 'GOLD0001' })).toBe(200)
  const found = await t.call(wechatFollowers.list, { accountId: [String(wx.id)] }, me)
  expect(found.rows[0]).toMatchObject({
    openId: wx.openIdOf('小王'),
    isFollowing: true,
    estateCode: 'GOLD0001',
  })
  await wx.perform('小王', 'leave')
  expect(await findFollower(t.database.reader(t.ownerId), t.ownerId, wx.openIdOf('小王'))).toMatchObject({
    isFollowing: false,
  })
  await wx.perform('小王', 'follow')
  const kept = await t.call(wechatFollowers.list, { accountId: [String(wx.id)] }, me)
  expect(kept.rows[0]).toMatchObject({ isFollowing: true, estateCode: 'GOLD0001' })
  const removed = await t.call(unbindEstates, { ids: [String(defined(row).id)], reason: '更换公众号' }, me)
  expect(removed.success).toBe(1)
  expect(await t.call(bindEstates, { accountId: other.id, projectCodes: ['GOLD0001'] }, me)).toMatchObject({
    success: 1,
  })
})

it('WX-1 answers by keyword: exact before contained, else the default; greets who follows', async () => {
  const greeting = {
    ruleName: '欢迎',
    event: 'follow',
    matchType: 'exact',
    replyContent: '欢迎关注',
  } as const
  const { id, version } = await addReply(greeting)
  expect(await t.call(wechatReplies.get, { id }, me)).not.toHaveProperty('matchType')
  await addReply({ ...greeting, id, version })
  expect(await t.call(wechatReplies.get, { id }, me)).not.toHaveProperty('matchType')
  await addReply({ ruleName: '默认', event: 'otherwise', replyContent: '请输入 停水 查询' })
  await addReply({ ruleName: '水', keywords: ['水'], matchType: 'contains', replyContent: '用水须知' })
  await addReply({
    ruleName: '停水',
    keywords: ['停水'],
    matchType: 'exact',
    replyContent: '<明天>停水 ]]> & 9:00',
  })
  await wx.perform('小李', 'follow')
  for (const text of ['停水', '几点来水', '你好']) {
    await wx.perform('小李', 'say', { text })
  }
  await wx.perform('小李', 'tap', { key: '停水' })
  expect(wx.seenBy('小李')).toEqual([
    '欢迎关注',
    '停水',
    '<明天>停水 ]]> & 9:00',
    '几点来水',
    '用水须知',
    '你好',
    '请输入 停水 查询',
    '点击菜单「停水」',
    '<明天>停水 ]]> & 9:00',
  ])
  expect(await refusalTextOf(addReply({ event: 'otherwise', replyContent: '第二条' }))).toContain(
    '各只能有一条',
  )
  const byEvent = await t.call(getRepliesByEvent, { accountId: wx.id, event: 'keyword' }, me)
  expect(byEvent.map(rule => rule.ruleName)).toEqual(['水', '停水'])
})

it('a message in clear is answered in that mode, and refused by an account in the encrypted one', async () => {
  const plain = await AccountFixture.open(t, me, { messageMode: 'plain' })
  await addReply({ ruleName: '默认', event: 'otherwise', replyContent: '收到' }, plain.id)
  await plain.perform('小赵', 'say', { text: '在吗' })
  expect(plain.seenBy('小赵')).toEqual(['在吗', '收到'])
  const clear = { ...wx.platform.keys, isEncrypted: false }
  const post = wx.signed({ FromUserName: 'oX', MsgType: 'text', Content: '停水', MsgId: '1' })
  const { keys } = wx.platform
  wx.platform.keys = clear
  const unencrypted = wx.signed({ FromUserName: 'oX', MsgType: 'text', Content: '停水', MsgId: '1' })
  wx.platform.keys = keys
  expect((await wx.post(unencrypted)).status).toBe(403)
  expect((await wx.post(post)).status).toBeUndefined()
})

it('refuses what is forged, late, changed or for another account, and says nothing of any of them', async () => {
  const message = { FromUserName: 'oForged', MsgType: 'text', Content: '停水', MsgId: '77' }
  const good = wx.signed(message)
  const badSignature = good.url.replace(/signature=[0-9a-f]{4}/, 'signature=0000')
  const badMessage = good.url.replace(/msg_signature=[0-9a-f]{4}/, 'msg_signature=0000')
  const outcomes = await Promise.all([
    wx.post({ ...good, url: badSignature }),
    wx.post({ ...good, url: badMessage }),
    wx.post(wx.signed(message, -3600)),
    wx.post(wx.signed(message, 3600)),
    wx.post({ ...good, body: good.body.replace('<Encrypt>', '<Encrypt>A') }),
    wx.post({ ...good, body: '<!DOCTYPE x [<!ENTITY a "aa">]><xml><Encrypt>&a;</Encrypt></xml>' }),
    wx.post({ ...good, body: `<xml><Encrypt>${'A'.repeat(64_000)}</Encrypt></xml>` }),
    wx.post({ ...good, url: good.url.split('?')[0] ?? '' }),
  ])
  expect(outcomes.map(({ status, body }) => [status, body])).toEqual(outcomes.map(() => [403, 'refused']))
  const elsewhere = await wx.post({ ...good, url: good.url.replace(/\/\d+\?/, '/999999?') })
  expect(elsewhere.status).toBe(404)
  expect(await findFollower(t.database.reader(t.ownerId), t.ownerId, 'oForged')).toBeUndefined()
})

it('refuses what is signed and encrypted, yet no message of the platform', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aa">]><xml><FromUserName>oA</FromUserName><C>&a;</C></xml>'
  const many = `<xml>${'<A>1</A>'.repeat(300)}</xml>`
  for (const plain of [bomb, '{"FromUserName":"oA"}', '', many]) {
    const { status, body } = await wx.post(wx.sealed(plain))
    expect([status, body], plain.slice(0, 40)).toEqual([403, 'refused'])
  }
})

it('a message that is repeated is answered once; one signature in clear carries one body', async () => {
  const message = { FromUserName: wx.openIdOf('小李'), MsgType: 'text', Content: '停水', MsgId: '4711' }
  const post = wx.signed(message)
  const [first, second, third] = [await wx.post(post), await wx.post(post), await wx.post(wx.signed(message))]
  expect([first.body?.includes('Encrypt'), second.body, third.body]).toEqual([true, 'success', 'success'])
  const plain = await AccountFixture.open(t, me, { messageMode: 'plain' })
  const clear = plain.signed({
    ToUserName: 'gh',
    FromUserName: 'oA',
    MsgType: 'text',
    Content: '1',
    MsgId: '1',
  })
  expect((await plain.post(clear)).status).toBeUndefined()
  const other = writeXml({ FromUserName: 'oB', MsgType: 'event', Event: 'unsubscribe', CreateTime: 1 })
  expect((await plain.post({ ...clear, body: other })).status).toBe(403)
  const nextDay = t.app.clock() + 25 * 3_600_000
  expect(await t.database.tx(t.ownerId, tx => deleteOldMessages(tx, t.ownerId, nextDay))).toBeGreaterThan(3)
})

it('WX-1 a menu of 4 × 6 is refused with words; a good one reaches the phones', async () => {
  const child = (i: number) => ({ name: `子${i}`, type: 'link' as const, url: 'https://example.com' })
  const buttons = Array.from({ length: 4 }, (_, i) => ({
    name: `菜单${i}`,
    children: Array.from({ length: 6 }, (_each, j) => child(j)),
  }))
  expect(await refusalTextOf(t.call(saveWechatMenu, { accountId: wx.id, buttons, version: 0 }, me))).toBe(
    '最多 3 个一级菜单，现有 4 个',
  )
  expect(await refusalMessageOf(t.call(publishWechatMenu, { accountId: wx.id }, me))).toContain(
    '请先添加菜单',
  )
  const good = [{ name: '停水', type: 'keyword' as const, keyword: '停水' }]
  const saved = await t.call(saveWechatMenu, { accountId: wx.id, buttons: good, version: 0 }, me)
  expect(wx.platform.menu).toEqual([])
  await t.call(publishWechatMenu, { accountId: wx.id }, me)
  expect(wx.platform.menu).toEqual([{ type: 'click', name: '停水', key: '停水' }])
  const shown = await t.call(getWechatMenu, { accountId: wx.id }, me)
  expect(shown).toMatchObject({ isPublished: true, buttons: good })
  const stale = { accountId: wx.id, buttons: good, version: saved.version ?? 0 }
  expect(await refusalMessageOf(t.call(saveWechatMenu, stale, me))).toContain('已被')
  const changed = [{ name: '报修', type: 'keyword' as const, keyword: '停水' }]
  await t.call(saveWechatMenu, { accountId: wx.id, buttons: changed, version: shown.version }, me)
  expect((await t.call(getWechatMenu, { accountId: wx.id }, me)).isPublished).toBe(false)
})

it('an empty menu that is published takes the one before away; without one there is nothing to publish', async () => {
  const { id: accountId, platform } = await AccountFixture.open(t, me)
  const empty = { accountId, buttons: [], version: 0 }
  await t.call(saveWechatMenu, empty, me)
  const publish = () => t.call(publishWechatMenu, { accountId }, me)
  expect(await refusalMessageOf(publish())).toContain('请先添加菜单')
  const shown = () => t.call(getWechatMenu, { accountId }, me)
  const buttons = [{ name: '停水', type: 'keyword' as const, keyword: '停水' }]
  await t.call(saveWechatMenu, { accountId, buttons, version: (await shown()).version }, me)
  await publish()
  expect(platform.menu).toHaveLength(1)
  await t.call(saveWechatMenu, { ...empty, version: (await shown()).version }, me)
  expect(await shown()).toMatchObject({ isPublished: false })
  await publish()
  expect(platform.menu).toEqual([])
  expect(await shown()).toMatchObject({ isPublished: true })
})

it('a mini program has no menu; a long name is refused in the words of the menu', async () => {
  const mini = await AccountFixture.open(t, me, { mpType: 'mini' })
  const buttons = [{ name: '停水', type: 'keyword' as const, keyword: '停水' }]
  const save = t.call(saveWechatMenu, { accountId: mini.id, buttons, version: 0 }, me)
  expect(await refusalMessageOf(save)).toContain('小程序没有自定义菜单')
  const publish = t.call(publishWechatMenu, { accountId: mini.id }, me)
  expect(await refusalMessageOf(publish)).toContain('小程序没有自定义菜单')
  const child = { name: 'a'.repeat(15), type: 'keyword' as const, keyword: '停水' }
  const long = { accountId: wx.id, buttons: [{ name: '服务', children: [child] }], version: 0 }
  expect(await refusalTextOf(t.call(saveWechatMenu, long, me))).toContain('子菜单名称不超过 7 个汉字')
})

it('an article is sanitised, uploaded to the platform once, and answers a keyword', async () => {
  const cover = await t.app.files.save(t.ownerId, t.managerId, {
    name: 'cover.png',
    type: 'image/png',
    bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  })
  const article = await t.call(
    wechatMaterials.save,
    {
      accountId: wx.id,
      mediaType: 'article',
      title: '停水通知<b>',
      media: cover,
      digest: '明天九点',
      content: '<p onclick="x()">正文<script>alert(1)</script></p>',
    },
    me,
  )
  expect(article.content).toBe('<p>正文</p>')
  const uploaded = await t.call(uploadMaterial, { id: article.id }, me)
  expect(wx.platform.media.get(uploaded.mediaId ?? '')).toEqual({ type: 'news', title: '停水通知<b>' })
  expect((await t.call(uploadMaterial, { id: article.id }, me)).mediaId).toBe(uploaded.mediaId)
  await addReply({ ruleName: '图文', keywords: ['通知'], replyType: 'article', materialId: article.id })
  await wx.perform('小李', 'say', { text: '通知' })
  expect(wx.seenBy('小李').at(-1)).toBe('停水通知<b>\n明天九点')
  expect(
    await refusalTextOf(
      addReply({ ruleName: '错', keywords: ['错'], replyType: 'image', materialId: article.id }),
    ),
  ).toContain('素材的类型与回复类型不一致')
  const bad = { accountId: wx.id, mediaType: 'video', title: '视频', media: cover } as const
  expect(await refusalTextOf(t.call(wechatMaterials.save, bad, me))).toBe('文件类型应为 MP4')
})

it('a picture reply uploads its material when it is needed, else the default answers', async () => {
  const account = await AccountFixture.open(t, me)
  const media = await t.app.files.save(t.ownerId, t.managerId, {
    name: 'map.png',
    type: 'image/png',
    bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  })
  const picture = await t.call(
    wechatMaterials.save,
    { accountId: account.id, mediaType: 'image', title: '地图', media },
    me,
  )
  const image = { replyType: 'image', materialId: picture.id } as const
  await addReply({ ruleName: '默认', event: 'otherwise', replyContent: '请致电' }, account.id)
  await addReply({ ruleName: '地图', keywords: ['地图'], ...image }, account.id)
  account.platform.isAway = true
  await account.perform('小孙', 'say', { text: '地图' })
  expect(account.seenBy('小孙').at(-1)).toBe('请致电')
  account.platform.isAway = false
  await Promise.all(['小孙', '小周', '小吴'].map(name => account.perform(name, 'say', { text: '地图' })))
  const { mediaId } = await t.call(wechatMaterials.get, { id: picture.id }, me)
  expect([...account.platform.media.keys()]).toEqual([mediaId])
  for (const name of ['小孙', '小周', '小吴']) {
    expect(account.seenBy(name).at(-1)).toBe(`[image] ${mediaId}`)
  }
})

it('WX-1 a template for each event; refusing messages (43101) is a state of its own', async () => {
  const [known] = await t.call(listPlatformTemplates, { accountId: wx.id }, me)
  const template = await t.call(
    wechatTemplates.save,
    {
      accountId: wx.id,
      event: 'notice',
      templateId: defined(known).templateId,
      templateTitle: defined(known).templateTitle,
      fieldValues: [
        { name: 'thing1', value: '{name}，{title}' },
        { name: 'time2', value: '1月1日' },
      ],
      state: 'on',
    },
    me,
  )
  const openId = wx.openIdOf('小李')
  const send = () =>
    sendEventMessage(t.app, {
      ownerId: t.ownerId,
      openId,
      event: 'notice',
      values: { name: '小李', title: '{name}停水' },
      url: 'https://anju.example/home',
    })
  expect(await send()).toEqual({ state: 'sent' })
  expect(wx.seenBy('小李').at(-1)).toBe('thing1：小李，{name}停水\ntime2：1月1日')
  const follower = defined(await findFollower(t.database.reader(t.ownerId), t.ownerId, openId))
  await t.call(sendTrialTemplate, { id: template.id, followerId: follower.id }, me)
  expect(wx.seenBy('小李').at(-1)).toContain('张三')
  await wx.perform('小李', 'refuse')
  expect(await send()).toEqual({ state: 'refused', reason: '用户拒收消息' })
  const unknown = { ...template, fieldValues: [{ name: 'thing1', value: '{nope}' }] }
  expect(await refusalTextOf(t.call(wechatTemplates.save, unknown, me))).toContain('变量 {nope} 不存在')
  const notify = () =>
    sendNow(t.app, t.ownerId, {
      source: 'notices.notice',
      bizId: template.id,
      channel: 'wechat',
      receiver: { kind: 'resident', id: follower.id, name: '李四' },
      address: openId,
      title: '停水',
      text: '明天停水',
    })
  // The dispatcher of messages to people outside takes the company's own account.
  expect(await notify()).toMatchObject({ state: 'refused' })
  await wx.perform('小李', 'refuse')
  expect(await notify()).toMatchObject({ state: 'sent' })
  expect(wx.seenBy('小李').at(-1)).toBe('thing1：李四，停水\ntime2：1月1日')
  wx.platform.callsLeft = 0
  expect(await send()).toEqual({ state: 'failed', reason: '微信接口今天的调用次数已用完，请明天再试' })
  wx.platform.callsLeft = Number.POSITIVE_INFINITY
  const isReached = async (): Promise<boolean> => {
    const receiver = sql`(select ${openId}::text as open_id) a`
    const { addressSql } = channelOf('wechat')
    const [row] = await t.database
      .reader(t.ownerId)
      .rows<{ address?: string }>(sql`select ${addressSql(t.ownerId)} as address from ${receiver}`)
    return row?.address === openId
  }
  expect(await isReached()).toBe(true)
  // Nothing that a company's account knows goes to the account of the installation.
  await t.call(wechatTemplates.save, { ...template, state: 'off' }, me)
  expect(await notify()).toMatchObject({ state: 'failed', reason: expect.stringContaining('模板消息') })
  await wx.perform('小李', 'leave')
  expect(await notify()).toMatchObject({ state: 'refused', reason: '该住户已取消关注公众号' })
  expect(await isReached()).toBe(false)
})

it('mass messages: four a month to a follower however many send at once; nobody gets one twice', async () => {
  const account = await AccountFixture.open(t, me)
  for (const person of ['甲', '乙', '丙']) {
    await account.perform(person, 'follow')
  }
  const input = { accountId: account.id, title: '元旦', messageType: 'text', content: '新年好' } as const
  const sent = await Promise.allSettled(Array.from({ length: 6 }, () => t.call(sendMass, input, me)))
  expect(sent.filter(each => each.status === 'fulfilled')).toHaveLength(4)
  const finished = async () =>
    (await t.call(wechatMasses.list, { accountId: [String(account.id)], size: 10 }, me)).rows.map(
      ({ state, sentCount, failCount }) => [state, sentCount, failCount],
    )
  await expect.poll(finished, { timeout: 20_000 }).toEqual(Array.from({ length: 4 }, () => ['sent', 3, 0]))
  expect(account.seenBy('甲')).toEqual(['新年好', '新年好', '新年好', '新年好'])
  expect(await t.call(countMassReceivers, { accountId: account.id }, me)).toEqual({
    followers: 3,
    receivers: 0,
    outOfQuota: 3,
  })
  expect(await refusalMessageOf(t.call(sendMass, input, me))).toContain('本月已收到 4 条')
  const [row] = (await t.call(wechatMasses.list, { accountId: [String(account.id)] }, me)).rows
  const done = { id: defined(row).id, reason: '发错' }
  expect(await refusalMessageOf(t.call(cancelMass, done, me))).toBe('群发已经结束，不能取消')
})

it('a mass message waits for a platform that is away, shows why, and can be cancelled', async () => {
  const account = await AccountFixture.open(t, me)
  for (const person of ['甲', '乙']) {
    await account.perform(person, 'follow')
  }
  const input = { accountId: account.id, title: '停电', messageType: 'text', content: '今晚停电' } as const
  const stateOf = async (id: Id) => {
    const { state, sentCount, failCount, fault } = await t.call(wechatMasses.get, { id }, me)
    return { state, sentCount, failCount, fault }
  }
  const waiting = { state: 'sending', sentCount: 0, failCount: 0, fault: retryingFault }
  account.platform.isAway = true
  const first = await t.call(sendMass, input, me)
  await expect.poll(() => stateOf(first.id), { timeout: 10_000 }).toEqual(waiting)
  account.platform.isAway = false
  const sent = { state: 'sent', sentCount: 2, failCount: 0, fault: undefined }
  await expect.poll(() => stateOf(first.id), { timeout: 20_000 }).toEqual(sent)
  expect(account.seenBy('甲')).toEqual(['今晚停电'])
  account.platform.isAway = true
  const second = await t.call(sendMass, input, me)
  await expect.poll(() => stateOf(second.id), { timeout: 10_000 }).toEqual(waiting)
  await t.call(cancelMass, { id: second.id, reason: '不再需要' }, me)
  const cancelled = { state: 'cancelled', sentCount: 0, failCount: 2 }
  expect(await stateOf(second.id)).toMatchObject(cancelled)
  account.platform.isAway = false
  const third = await t.call(sendMass, { ...input, content: '明晚停电' }, me)
  await expect.poll(() => stateOf(third.id), { timeout: 20_000 }).toEqual(sent)
  expect(account.seenBy('甲')).toEqual(['今晚停电', '明晚停电'])
  expect(await stateOf(second.id)).toMatchObject(cancelled)
})

it('a mass message fails with its reason when the platform stays away', async () => {
  const account = await AccountFixture.open(t, me)
  for (const person of ['甲', '乙']) {
    await account.perform(person, 'follow')
  }
  account.platform.isAway = true
  const input = { accountId: account.id, title: '停电', messageType: 'text', content: '今晚停电' } as const
  const { id } = await t.call(sendMass, input, me)
  const massOf = () => t.call(wechatMasses.get, { id }, me)
  await expect.poll(async () => (await massOf()).fault, { timeout: 10_000 }).toBe(retryingFault)
  t.advanceClock(3_600_000)
  await expect.poll(async () => (await massOf()).state, { timeout: 10_000 }).toBe('failed')
  expect(await massOf()).toMatchObject({ failCount: 2, fault: expect.stringContaining('连接不上微信服务器') })
})

it('who sees some estates alone sees their followers, and no name of another estate (PERM-6)', async () => {
  const account = await AccountFixture.open(t, me)
  const accountId = account.id
  const bound = (await t.call(wechatEstates.list, {}, me)).rows.map(row => String(row.id))
  await t.call(unbindEstates, { ids: bound, reason: '更换公众号' }, me)
  await t.call(bindEstates, { accountId, projectCodes: [...golden.estates] }, me)
  await account.perform('近邻', 'follow', { scene: 'GOLD0001' })
  await account.perform('远客', 'follow', { scene: 'GOLD0002' })
  await account.perform('路人', 'follow')
  const limited = await t.signedInAs(golden.first.estateOnly)
  const byAccount = { accountId: [String(accountId)] }
  const all = await t.call(wechatFollowers.list, byAccount, me)
  expect(all.total).toBe(3)
  const seen = await t.call(wechatFollowers.list, byAccount, limited)
  expect(seen.rows.map(row => row.openId)).toEqual([account.openIdOf('近邻')])
  const picked = await t.call(pickFollowers, { ofAccount: accountId }, limited)
  expect(picked.rows.map(row => row.openId)).toEqual([account.openIdOf('近邻')])
  const foreign = t.call(wechatFollowers.list, { ...byAccount, estateCode: ['GOLD0002'] }, limited)
  expect(await refusalMessageOf(foreign)).toContain('无权访问该项目')
  const [row] = (await t.call(wechatAccounts.list, { keyword: account.account.mpName }, limited)).rows
  expect(row).toMatchObject({ projectCodes: ['GOLD0001'], followers: 1 })
  const template = await t.call(
    wechatTemplates.save,
    {
      accountId,
      event: 'fee',
      templateId: 'tmpl-fee',
      templateTitle: '缴费提醒',
      fieldValues: [
        { name: 'thing1', value: '{room}' },
        { name: 'amount2', value: '{content}' },
      ],
      state: 'on',
    },
    me,
  )
  const far = defined(all.rows.find(each => each.openId === account.openIdOf('远客')))
  const trial = t.call(sendTrialTemplate, { id: template.id, followerId: far.id }, limited)
  expect(await refusalMessageOf(trial)).toContain('无权访问该项目')
  const clerk = await t.addClerk([])
  expect(await refusalMessageOf(t.call(pickFollowers, {}, clerk.as))).toContain('无权执行此操作')
  expect((await t.call(pickMaterials, {}, clerk.as)).total).toBe(0)
  expect((await t.call(pickMaterials, {}, me)).total).toBeGreaterThan(0)
})

it('the merchant number comes from the payment channels; another company sees nothing of all this', async () => {
  const [pay] = await t.call(listPaySettings, undefined, me)
  expect(pay).toMatchObject({ mpName: wx.account.mpName, isMatching: false })
  const stranger = await t.signedInAs(golden.second.owner)
  expect((await t.call(wechatAccounts.list, {}, stranger)).total).toBe(0)
  expect(await refusalMessageOf(t.call(getWechatMenu, { accountId: wx.id }, stranger))).toContain('不存在')
  expect(await refusalMessageOf(t.call(testWechatAccount, { id: wx.id }, stranger))).toContain('不存在')
})

it('residents sign in and are bound by the account of their estate, elsewhere by that of the installation', async () => {
  const own = await AccountFixture.open(t, me, { mpName: '住户登录' })
  const { ownerId } = t
  const [resident] = await t.database.reader(ownerId).rows<{ id: Id; projectCode: string }>(sql`
    select p.id, min(l.project_code) as project_code
    from resident p
    join user_room l on l.owner_id = ${ownerId} and l.user_id = p.id and l.status = 20 and l.delete_tag = 0
    where p.owner_id = ${ownerId} and p.state = 10 and p.delete_tag = 0 and not p.wechat_bind
    group by p.id
    having count(distinct l.project_code) = 1
    order by p.id
    limit 1
  `)
  const { id, projectCode } = defined(resident)
  await t.call(
    unbindEstates,
    {
      ids: (await t.call(wechatEstates.list, {}, me)).rows
        .filter(row => row.projectCode === projectCode)
        .map(row => String(row.id)),
      reason: '改绑',
    },
    me,
  )
  const [code] = await t.call(listEntranceCodes, { projectCode }, me)
  const entrance = defined(new URL(defined(code).url, 'http://here').searchParams.get('e'))
  const asked = { entrance, origin: 'http://127.0.0.1:9', nonce: 'n0nce00000000000' } as const
  const addressOf = async () => new URL((await t.call(askResidentWechat, asked)).address)
  expect((await addressOf()).searchParams.get('appid')).not.toBe(own.account.appId)
  await t.call(bindEstates, { accountId: own.id, projectCodes: [projectCode] }, me)
  const answer = async (address: URL): Promise<string> => {
    expect(address.searchParams.get('appid')).toBe(own.account.appId)
    expect(await (await fetch(address)).text()).toContain('住户登录（模拟公众号）')
    const form = new URLSearchParams(address.searchParams)
    form.set('say', 'yes')
    form.set('account', '住户甲')
    const back = await fetch(`${address.origin}/connect/oauth2/answer?${form.toString()}`, {
      redirect: 'manual',
    })
    return defined(new URL(defined(back.headers.get('location'))).searchParams.get('code'))
  }
  const signIn = async () => t.call(signInByWechat, { entrance, code: await answer(await addressOf()) })
  expect(await refusalMessageOf(signIn())).toContain('未绑定住户')
  const { uuid } = await t.call(createResidentQr, { id }, me)
  const scanned = await t.call(scanResidentQr, { uuid, origin: 'http://127.0.0.1:9' })
  await t.call(confirmResidentWechat, { uuid, code: await answer(new URL(scanned.address)) })
  expect((await signIn()).token).toBeTruthy()
  // A code is good once, and for the account that gave it.
  const used = await answer(await addressOf())
  await t.call(signInByWechat, { entrance, code: used })
  expect(await refusalMessageOf(t.call(signInByWechat, { entrance, code: used }))).toContain('微信未确认身份')
})
