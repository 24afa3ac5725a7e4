import type { RecordTab } from '#kit/web/crud/crud-spec.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import type { PublicNotice } from '../contract/notice.ts'
import { menu } from '../module.ts'
import type { OfNotice } from './notice-tab-contents.tsx'

const waiting = <RowSkeleton rows={5} />
const contents = () => import('./notice-tab-contents.tsx')
const Content = lazyComponent<OfNotice>(async () => (await contents()).Content, waiting)
const Receivers = lazyComponent<OfNotice>(async () => (await contents()).Receivers, waiting)
const Reach = lazyComponent<OfNotice>(async () => (await contents()).Reach, waiting)
const Versions = lazyComponent<OfNotice>(async () => (await contents()).Versions, waiting)

const { view } = menu.notice.permissions

export const noticeTabs: readonly RecordTab<PublicNotice>[] = [
  { key: 'content', label: '正文', needs: view, inDrawer: true, body: row => <Content notice={row} /> },
  {
    key: 'receivers',
    label: '阅读情况',
    needs: view,
    inDrawer: true,
    body: row => <Receivers notice={row} />,
  },
  { key: 'reach', label: '触达', needs: view, inDrawer: true, body: row => <Reach notice={row} /> },
  { key: 'versions', label: '历史版本', needs: view, body: row => <Versions notice={row} /> },
]
