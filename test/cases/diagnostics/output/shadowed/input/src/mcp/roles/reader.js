export const reader = { name: "reader", data: "{}" };
