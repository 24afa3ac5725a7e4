import type { ComponentType } from 'react'

const login = (): Promise<{ default: ComponentType }> => import('./login.tsx')
export const routes: Record<string, () => Promise<{ default: ComponentType }>> = {
  '/login': login,
  '/wisdomlogin': login, '/psiplogin': login, '/doorwaylogin': login, '/parklogin': login, '/officelogin': login,
  '/ssologin': () => import('./sso.tsx'),
  '/goregister': () => import('./register.tsx'),
  '/foundPassword': () => import('./found-password.tsx'),
  '/retricepassword': () => import('./found-password.tsx'),
  '/QrCode': () => import('./qr-code.tsx'),
  '/changepassword': () => import('./change-password.tsx'),
  '/setup': () => import('./set-up.tsx'),
}
