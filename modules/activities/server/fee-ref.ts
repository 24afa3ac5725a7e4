/** What bills of sign-ups name them by. */
export const activityFeeRef = 'activitySign'
