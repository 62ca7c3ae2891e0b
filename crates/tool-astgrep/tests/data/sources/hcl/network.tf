terraform {
  required_version = ">= 1.5"
  required_providers {
    cloud = {
      source  = "example/cloud"
      version = "~> 4.0"
    }
  }
}

variable "region" {
  type        = string
  default     = "eu-1"
  description = "Where it runs."

  validation {
    condition     = can(regex("^[a-z]+-[0-9]$", var.region))
    error_message = "Not a region."
  }
}

variable "subnets" {
  type = map(object({
    cidr   = string
    public = optional(bool, false)
  }))
  default = {}
}

locals {
  name   = "net-${var.region}"
  public = { for key, net in var.subnets : key => net.cidr if net.public }
  cidrs  = [for net in values(var.subnets) : upper(net.cidr)]
  tags = merge(var.tags, {
    Name  = local.name
    Owner = "ops"
  })
  count = length(local.cidrs) > 2 ? 2 : length(local.cidrs)
  ids   = cloud_subnet.main[*].id
}

provider "cloud" {
  region = var.region
  alias  = "main"
}

data "cloud_image" "base" {
  most_recent = true
  owners      = ["self", "vendor"]

  filter {
    name   = "name"
    values = ["base-*"]
  }
}

resource "cloud_network" "main" {
  cidr_block = "10.0.0.0/16"
  tags       = local.tags
}

resource "cloud_subnet" "main" {
  for_each = var.subnets

  network_id = cloud_network.main.id
  cidr_block = each.value.cidr
  zone       = "${var.region}${each.key == "a" ? "-a" : "-b"}"

  dynamic "route" {
    for_each = local.public
    content {
      cidr    = route.value
      gateway = cloud_gateway.main[0].id
    }
  }

  lifecycle {
    ignore_changes = [tags["Owner"]]
  }

  depends_on = [cloud_network.main]
}

resource "cloud_instance" "web" {
  count         = local.count
  image         = data.cloud_image.base.id
  instance_type = lookup(var.sizes, "web", "small")
  monitoring    = !var.cheap && count.index == 0

  user_data = <<-EOT
    #!/bin/sh
    echo "web ${count.index}" > /etc/motd
  EOT

  provisioner "local-exec" {
    command = "echo ${self.address} >> hosts"
  }
}

module "dns" {
  source  = "./modules/dns"
  zone    = format("%s.example", local.name)
  records = flatten([for i in cloud_instance.web : i.addresses])
  ttl     = 60 * 5
}

output "addresses" {
  value     = cloud_instance.web[*].address
  sensitive = false
}
