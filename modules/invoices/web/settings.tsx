import { LazyTabs } from '#kit/web/lazy-tabs.tsx'
import { GoodList } from './good-list.tsx'
import { SettingList } from './setting-list.tsx'
import { TitleList } from './title-list.tsx'
import './invoices.css'

/** 发票设置. */
export default function SettingPage() {
  return (
    <div className="invoice-setting">
      <LazyTabs
        items={[
          { key: 'sets', label: '销方与平台', children: <SettingList /> },
          { key: 'goods', label: '开票商品', children: <GoodList /> },
          { key: 'titles', label: '抬头', children: <TitleList /> },
        ]}
      />
    </div>
  )
}
