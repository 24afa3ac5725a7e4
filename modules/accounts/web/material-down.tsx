import { useState } from 'react'
import { Button } from 'antd'
import type { Import } from '#kit/contract/transfer.ts'
import { go } from '#kit/web/go.ts'
import { download } from '#kit/web/send.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { importBuildings } from '#modules/estates/contract/transfer.ts'
import { importPlaces } from '#modules/parking/contract/transfer.ts'
import { importRooms } from '#modules/rooms/contract/transfer.ts'
import './accounts.css'

/** Where each template is taken back in; a right that is missing hides it, as it hides the import. */
const materials = [
  { name: '楼栋', of: importBuildings, path: '/service/data/buildlist', says: '楼栋编号、单元、层数' },
  { name: '房间', of: importRooms, path: '/service/data/roommange', says: '房间与商铺，面积、户型、房态' },
  { name: '车位', of: importPlaces, path: '/service/data/parklots/carportlist', says: '停车场、区域、车位编号' },
] as const

/** The templates of all imports in one place, each with the chosen project's own pull-down lists. */
export default function MaterialDown() {
  const may = usePermission(), { screens } = useHost(), project = useSession(s => s.project?.code), projectCode = project === '0' ? undefined : project, [busy, setBusy] = useState('')
  const mine = materials.filter(m => typeof m.of.post.needs !== 'object' || may(m.of.post.needs))
  const fetch = async (name: string, of: Import<any>): Promise<void> => { setBusy(name); try { await download(of.template, { projectCode }, `${name}导入模板.xlsx`) } catch { /* said where it failed */ } finally { setBusy('') } }
  return (
    <div className="sheet-page">
      <section>
        <h2>资料下载</h2>
        <p className="lead">{mine.length ? '导入模板按当前项目生成，里面有填写说明和可选项。填好后到对应页面导入。' : '这里放导入模板。你还没有任何导入权限，需要时请联系管理员授权。'}</p>
        <ul className="guide">
          {mine.map(m => (
            <li key={m.name}>
              <span className="what">{m.name}导入模板</span><span className="why">{m.says}</span>
              {screens.at(m.path) && <Button onClick={() => go(m.path)}>去导入</Button>}
              <Button type="primary" loading={busy === m.name} disabled={!projectCode} onClick={() => void fetch(m.name, m.of)}>下载模板</Button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
