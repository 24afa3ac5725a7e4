import { asId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Route, Routes } from 'react-router'
import { ConfirmDialogs } from '../confirm.tsx'
import { setHistorySource } from '../change-history.ts'
import { setFileStore } from '../file-store.ts'
import { saveStored, openBrowserStore } from '../browser-store.ts'
import { queryClient } from '../query.ts'
import { registerRefs, createRefSource } from '../refs.ts'
import { setPersonalDataLoader } from '../reveal.ts'
import { setRights, signIn } from '../session.ts'
import { HostContext, type Host } from '../shell/host.ts'
import { Theme } from '../theme/theme.tsx'
import { buildings } from './bill.ts'
import { BillForm, Bills, PlainBills } from './bills.tsx'
import { PickerGallery } from './pickers.tsx'
import { installFakeServer } from './fake-server.ts'
import './gallery.css'

installFakeServer()
const params = new URLSearchParams(location.search)
await openBrowserStore()
saveStored('appearance', params.get('theme') ?? 'light')

signIn({
  token: 't',
  manager: { id: asId(1), ownerId: asId(1), loginCode: 'demo', companyName: '安居物业', realName: '周敏' },
  nearestProjectCode: 'P1',
})

setRights('all')

registerRefs({
  building: async () => ({ default: createRefSource(buildings, { value: b => b.code, label: b => b.name }) }),
})

setPersonalDataLoader(async () => '13800138000')

setFileStore({
  save: async f => URL.createObjectURL(f),
  find: async keys => new Map(keys.map(k => [k, { url: k, name: k, size: 1024 }])),
})

setHistorySource(async () => [
  {
    at: '2026-09-02 10:16:00',
    by: '周敏',
    action: '修改',
    changes: [
      { field: '缴费人', before: '刘雅琴', after: '杨建国' },
      { field: '状态', before: '未缴', after: '逾期' },
    ],
  },
  { at: '2026-07-05 02:00:00', by: '系统', action: '新增', changes: [] },
])

let done = 0

const host = {
  tasks: {
    list: async () => {
      done = Math.min(4960, done + 1400)
      return [
        {
          id: 7,
          title: '导入账单',
          state: done < 4960 ? '20' : '50',
          tone: 'doing',
          label: done < 4960 ? '处理中' : '部分成功',
          phase: done < 4960 ? 'running' : 'done',
          done,
          total: 4960,
          success: done,
          fail: done < 4960 ? 0 : 28,
          skipped: done < 4960 ? 0 : 12,
          faults: [],
          hasResult: true,
          hasFaults: true,
          canRetry: false,
        },
      ]
    },
    stop: async () => undefined,
    download: async () => undefined,
  },
} as unknown as Host

function Frame() {
  return (
    <div className="frame">
      <div className="rail" />
      <div className="panel" />
      <div className="top" />
      <div className="tabs" />
      <main>
        <Routes>
          <Route path="/form" element={<BillForm />} />
          <Route path="/bare" element={<PlainBills />} />
          <Route path="/pick" element={<PickerGallery />} />
          <Route path="*" element={<Bills />} />
        </Routes>
      </main>
    </div>
  )
}

createRoot(defined(document.getElementById('root'))).render(
  <QueryClientProvider client={queryClient}>
    <HostContext value={host}>
      <Theme>
        <BrowserRouter>
          <Frame />
        </BrowserRouter>
        <ConfirmDialogs />
      </Theme>
    </HostContext>
  </QueryClientProvider>,
)
