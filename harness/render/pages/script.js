const all = document.getElementById("open-all");
all.hidden = !document.querySelector("details");
all.addEventListener("click", () => {
  const open = all.getAttribute("aria-pressed") !== "true";
  for (const part of document.querySelectorAll("details")) part.open = open;
  all.setAttribute("aria-pressed", open);
});
