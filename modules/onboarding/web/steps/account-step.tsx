import { Button } from 'antd'
import { navigateTo } from '#kit/web/navigation.ts'

export function AccountStep() {
  return (
    <div className="inline-form">
      <div className="inline-form-actions">
        <Button type="primary" onClick={() => navigateTo('/setting/permission/managerlist/addmanager')}>
          新增管理员
        </Button>
        <Button onClick={() => navigateTo('/setting/permission/rolelist')}>设置角色</Button>
        <Button onClick={() => navigateTo('/setting/baseSetting/print')}>设置收据样式</Button>
      </div>
    </div>
  )
}
