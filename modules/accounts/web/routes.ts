import type { ComponentType } from 'react'

const login = (): Promise<{ default: ComponentType }> => import('./login.tsx')
export const routes: Record<string, () => Promise<{ default: ComponentType }>> = {
  '/login': login,
  '/wisdomlogin': login, '/psiplogin': login, '/doorwaylogin': login, '/parklogin': login, '/officelogin': login,
  '/setting/indexSetting': () => import('./setting-home.tsx'),
  '/setting/permission/managerlist': () => import('./managers.tsx'),
  '/setting/permission/managerlist/addmanager': () => import('./add-manager.tsx'),
  '/setting/permission/rolelist': () => import('./roles.tsx'),
  '/setting/permission/rolelist/editrole': () => import('./role-form.tsx'),
  '/setting/permission/rolelist/roledetail': () => import('./role-detail.tsx'),
  '/setting/permission/managerchange': () => import('./transfer.tsx'),
  '/setting/permission/basicsetting': () => import('./security.tsx'),
  '/setting/permission/personcenter': () => import('./person-centre.tsx'),
  '/setting/baseSetting/companydetail': () => import('./company.tsx'),
  '/setting/sysNotice/operatelog': () => import('./operation-log.tsx'),
  '/ssologin': () => import('./sso.tsx'),
  '/goregister': () => import('./register.tsx'),
  '/foundPassword': () => import('./found-password.tsx'),
  '/retricepassword': () => import('./found-password.tsx'),
  '/QrCode': () => import('./qr-code.tsx'),
  '/changepassword': () => import('./change-password.tsx'),
  '/setup': () => import('./set-up.tsx'),
}
