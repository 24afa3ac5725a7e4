/** The password that the README publishes, and the accounts of the demo that have it. */
export const demoPassword = 'Anju2026'

export const demoLogins = {
  main: 'demo',
  small: 'demo2',
  /** Of a merchant, on its page for the phone. */
  merchant: 'shop1',
  ofRole: (role: string): string => `${role}1`,
  all: [
    'demo',
    'demo2',
    'cashier1',
    'service1',
    'engineer1',
    'environment1',
    'manager1',
    'auditor1',
    'shop1',
  ],
} as const

/** Whether a sign-in is one that everybody can read in the README. */
export const isPublishedSignIn = (loginCode: string, password: string): boolean =>
  password === demoPassword && demoLogins.all.some(login => login === loginCode.toLowerCase())
